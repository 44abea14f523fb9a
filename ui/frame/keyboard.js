// Films and their buttons for the keyboard: plotly draws them as shapes that nothing can focus.
const BUTTON = ".js-plotly-plot .updatemenu-button"
const label = (button) => button.textContent.trim()
const figure = (button) => button.closest(".js-plotly-plot")
const buttonOf = (plot, name) => [...plot.querySelectorAll(".updatemenu-button")].find((one) => label(one) === name)

let held = null // the button the keyboard is on: plotly draws all of them anew at every step

function arm() {
    for (const button of document.querySelectorAll(BUTTON)) {
        if (button.hasAttribute("tabindex")) continue
        button.setAttribute("tabindex", "0")
        button.setAttribute("role", "button")
        button.setAttribute("aria-label", `${label(button)} (film)`)
    }
    for (const button of document.querySelectorAll('[data-testid="stPlotlyChart"] [data-testid="stElementToolbar"] button')) {
        button.tabIndex = -1
    }
    if (held && held.plot.isConnected && document.activeElement === document.body) buttonOf(held.plot, held.name)?.focus()
}

function answer(event) {
    const lost = event.target === document.body && held?.plot.isConnected // drawn anew, and not yet focused again
    const button = event.target.closest?.(BUTTON) ?? (lost ? buttonOf(held.plot, held.name) : null)
    if (!button) return
    const name = { Enter: label(button), " ": label(button), ArrowLeft: "Back", ArrowRight: "Step" }[event.key]
    if (!name) return
    event.preventDefault()
    held = { plot: figure(button), name: label(button) }
    buttonOf(held.plot, name)?.dispatchEvent(new MouseEvent("click", { bubbles: true }))
}

export default function () {
    if (window.concordKeyboard) return
    window.concordKeyboard = true
    let waiting = false
    const later = () => {
        if (waiting) return
        waiting = true
        requestAnimationFrame(() => ((waiting = false), arm()))
    }
    new MutationObserver(later).observe(document.body, { childList: true, subtree: true })
    document.addEventListener("keydown", answer)
    document.addEventListener("focusin", (event) => {
        if (!event.target.closest?.(BUTTON)) held = null
    })
    arm()
}
