// Windows of one browser: a lecture says which step it shows, the notes follow; notes that open later ask. Where several
// tabs show lessons, the one counts that a hand was on last.
export default function (component) {
    const { lesson, step, listens } = component.data
    const channel = (window.concordLecture ??= new BroadcastChannel("concord-lecture"))
    if (listens) {
        channel.onmessage = ({ data }) => {
            if (!data.lesson || data.touched < (window.concordHeard ?? 0)) return
            window.concordHeard = data.touched
            component.setTriggerValue("shown", { lesson: data.lesson, step: data.step })
        }
        if (!window.concordAsked) channel.postMessage({ asks: true })
        window.concordAsked = true
        return
    }
    if (!window.concordTouched) {
        const touch = () => (window.concordTouched = Date.now())
        for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, touch, true)
        touch()
    }
    const tell = () => channel.postMessage({ lesson, step, touched: window.concordTouched })
    channel.onmessage = ({ data }) => data.asks && tell()
    const now = `${lesson} ${step}`
    if (window.concordShown !== now) tell()
    window.concordShown = now
    return () => {
        channel.onmessage = null // on another page, or among the cards, nothing is shown
        window.concordShown = undefined
    }
}
