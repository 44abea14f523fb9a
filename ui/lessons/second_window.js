// Two windows of one browser: the lecture says which step it shows, the notes follow; one that opens later asks.
export default function (component) {
    const { lesson, step, listens } = component.data
    const channel = (window.concordLecture ??= new BroadcastChannel("concord-lecture"))
    if (listens) {
        channel.onmessage = ({ data }) => data.lesson && component.setTriggerValue("shown", { lesson: data.lesson, step: data.step })
        if (!window.concordAsked) channel.postMessage({ asks: true })
        window.concordAsked = true
        return
    }
    const tell = () => channel.postMessage({ lesson, step })
    channel.onmessage = ({ data }) => data.asks && tell()
    const now = `${lesson} ${step}`
    if (window.concordShown === now) return
    window.concordShown = now
    tell()
}
