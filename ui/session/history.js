// Brings the URL into its canonical form without a new entry in the browser's history; once for every turn.
export default function (component) {
    const { query, turn } = component.data
    if (window.concordTurn === turn) return
    window.concordTurn = turn
    const search = "?" + query
    if (window.location.search !== search) {
        window.history.replaceState(window.history.state, "", window.location.pathname + search + window.location.hash)
    }
}
