// Brings the URL into its canonical form without a new entry in the browser's history; once for every turn.
export default function (component) {
    watch()
    const { query, turn, kept } = component.data
    keep(kept, component)
    if (window.concordTurn === turn) return
    window.concordTurn = turn
    const search = "?" + query
    if (window.location.search !== search) {
        window.history.replaceState(window.history.state, "", window.location.pathname + search + window.location.hash)
    }
}

// What a person had outside lessons: a tab remembers it over a reload, which begins a session that does not.
function keep(kept, component) {
    if (kept !== null) {
        sessionStorage.setItem("concordKept", kept)
    } else if (!window.concordKeptAsked && sessionStorage.getItem("concordKept") !== null) {
        window.concordKeptAsked = true
        component.setTriggerValue("kept", sessionStorage.getItem("concordKept"))
    }
}

// Back and Forward put a number into the URL, another one each time, and have Streamlit report it: what it reports of
// itself may as well be the address of a moment ago, where a browser is behind. It hears of every step before we do, so
// it is told once more.
function watch() {
    if (window.concordWent !== undefined) return
    window.concordWent = Date.now() % 1_000_000 // a page that is loaded again counts on
    window.addEventListener("popstate", ({ isTrusted }) => {
        if (!isTrusted) return
        const there = new URL(window.location)
        there.searchParams.set("went", ++window.concordWent)
        window.history.replaceState(window.history.state, "", there)
        window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state }))
    })
}
