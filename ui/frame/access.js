// Films and their buttons for the keyboard: plotly draws them as shapes that nothing can focus. The sidebar for readers of
// screens, to whom a list may hold nothing but entries, and for phones, where it covers what was chosen.
const BUTTON = ".js-plotly-plot .updatemenu-button"
const label = (button) => button.textContent.trim()
const figure = (button) => button.closest(".js-plotly-plot")
const buttonOf = (plot, name) => [...plot.querySelectorAll(".updatemenu-button")].find((one) => label(one) === name)

// Where a hand may draw a loop, Streamlit reports loops alone: a click on a dot is handed on as a loop around it.
const alone = ({ curveNumber, pointNumber, pointIndex, x, y, customdata, data, fullData }) => // without its axes, which no JSON holds
    ({ curveNumber, pointNumber, pointIndex, x, y, customdata, data, fullData })

function takeClicks() {
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
        if (plot.concordClicks || !plot.on) continue
        plot.concordClicks = true
        plot.on("plotly_animating", () => films.set(plot._transitionData, plot))
        plot.on("plotly_animated", () => films.delete(plot._transitionData))
        plot.on("plotly_click", (event) => {
            const { clickmode, dragmode } = plot._fullLayout
            const points = event.points.filter((point) => point.fullData.type.startsWith("scatter")).map(alone)
            if (clickmode === "event" && ["lasso", "select"].includes(dragmode) && points.length) plot.emit("plotly_selected", { points })
        })
    }
}

// Which film a button is of, where there are several.
function which(plot) {
    const films = [...document.querySelectorAll(".js-plotly-plot")].filter((one) => one.querySelector(".updatemenu-button"))
    return films.length < 2 ? "" : ` ${films.indexOf(plot) + 1}`
}

// Buttons that show an icon alone, and those that every card has.
const DICE = ".st-key-dice button"
const NAMES = { '[class*="st-key-handout_"] button': "Handout", '[data-testid="stPopover"] button': "For a syllabus" }

function nameButtons() {
    for (const card of document.querySelectorAll('[class*="st-key-card_"]')) {
        const title = card.querySelector("strong")?.textContent
        for (const button of card.querySelectorAll("button")) {
            const place = Object.keys(NAMES).find((one) => button.matches(one))
            say(button, `${NAMES[place] ?? button.textContent.trim()}: ${title}`)
        }
    }
    for (const dice of document.querySelectorAll(DICE)) say(dice, "Another seed")
}

const say = (one, words) => one.getAttribute("aria-label") === words || one.setAttribute("aria-label", words)

// A button that gave way to another once it was pressed: whoever did so by the keyboard goes on there.
const FOLLOWS = '[class*="st-key-cancel_"] button, [class*="st-key-continue_"] button'
const LASTS = 3000 // ms
let pressed = null

function notePressed(event) {
    const button = event.target.closest?.('[data-testid="stButton"] button')
    const asked = button && ["Enter", " "].includes(event.key) && !button.closest('[class*="st-key-lesson_"], [class*="st-key-card_"]')
    pressed = asked ? { button, at: Date.now(), there: new Set(document.querySelectorAll(FOLLOWS)) } : null
}

function followPressed() {
    if (!pressed || pressed.button.isConnected || document.activeElement !== document.body) return
    const next = [...document.querySelectorAll(FOLLOWS)].find((one) => !pressed.there.has(one))
    if (next && Date.now() - pressed.at < LASTS) next.focus()
    if (next) pressed = null
}

let held = null // the button the keyboard is on: plotly draws all of them anew at every step

function arm() {
    for (const button of document.querySelectorAll(BUTTON)) {
        say(button, `${label(button)} (film${which(figure(button))})`)
        if (button.hasAttribute("tabindex")) continue
        button.setAttribute("tabindex", "0")
        button.setAttribute("role", "button")
    }
    for (const button of document.querySelectorAll('[data-testid="stPlotlyChart"] [data-testid="stElementToolbar"] button')) {
        button.tabIndex = -1
    }
    if (held && held.plot.isConnected && document.activeElement === document.body) buttonOf(held.plot, held.name)?.focus()
}

function nameSections() {
    for (const section of document.querySelectorAll('[data-testid="stSidebarNavItems"] > *:not([role])')) {
        section.parentElement.setAttribute("role", "none")
        section.setAttribute("role", "group")
        section.setAttribute("aria-label", section.querySelector('[data-testid="stNavSectionHeader"]')?.textContent.trim() ?? "Pages")
    }
    for (const entry of document.querySelectorAll('[data-testid="stSidebarNavItems"] li:not([role])')) entry.setAttribute("role", "none")
}

const NARROW = 640 // px: below, the sidebar lies over the page
let inSidebar = false // where the person was last

function giveWay(event) {
    const sidebar = event.target.closest?.('[data-testid="stSidebar"]')
    const chosen = event.target.closest?.('[data-testid="stSidebarNavLink"]') || (inSidebar && event.target.closest?.('[role="option"]'))
    if (!event.target.closest?.('[role="option"]')) inSidebar = Boolean(sidebar)
    if (!chosen || window.innerWidth > NARROW) return
    setTimeout(() => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click(), 150)
}

function measureForPrint() {
    const page = document.querySelector('[data-testid="stMainBlockContainer"]')
    if (!page) return
    const { paddingLeft, paddingRight } = getComputedStyle(page)
    const wide = Math.round(page.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))
    document.documentElement.style.setProperty("--print-width", `${wide}px`)
    document.documentElement.style.setProperty("--print-columns", wide)
}

function answer(event) {
    const lost = event.target === document.body && held?.plot.isConnected // drawn anew, and not yet focused again
    const button = event.target.closest?.(BUTTON) ?? (lost ? buttonOf(held.plot, held.name) : null)
    if (!button) return
    const name = { Enter: label(button), " ": label(button), ArrowLeft: "Back", ArrowRight: "Step" }[event.key]
    if (!name) return
    event.preventDefault()
    event.stopPropagation() // the arrows turn the steps of a lesson, too
    held = { plot: figure(button), name: label(button) }
    buttonOf(held.plot, name)?.dispatchEvent(new MouseEvent("click", { bubbles: true }))
}

// Streamlit hears no shortcut while a slider has the focus, which has no use for letters: a step of a lesson has.
function handOn(event) {
    const { target, key, code, ctrlKey, metaKey, altKey } = event
    if (!target.matches?.('[class*="st-key-lesson_"] input[type="range"]') || !/^[a-z]$/i.test(key) || ctrlKey || metaKey || altKey) return
    target.blur()
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }))
}

// A theme chosen in the menu is no news to the server, whose pictures are drawn for one.
const background = () => getComputedStyle(document.querySelector('[data-testid="stApp"]') ?? document.body).backgroundColor

// A film that plays would play on where its picture is gone, or drawn anew.
const films = new Map()

function stopFilms() {
    for (const [film, plot] of films) {
        if (plot._transitionData === film) continue
        cancelAnimationFrame(film._animationRaf)
        films.delete(film)
    }
}

function watchTheme() {
    let shown = background()
    setInterval(() => {
        const now = background()
        if (now === shown) return
        shown = now
        window.concordAccess.setTriggerValue("theme", now)
    }, 300)
}

export default function (component) {
    const watched = Boolean(window.concordAccess)
    window.concordAccess = component
    if (watched) return
    watchTheme()
    let waiting = false
    const later = () => {
        stopFilms()
        if (waiting) return
        waiting = true
        requestAnimationFrame(() => ((waiting = false), arm(), nameSections(), nameButtons(), takeClicks(), followPressed()))
    }
    new MutationObserver(later).observe(document.body, { childList: true, subtree: true })
    window.addEventListener("beforeprint", measureForPrint)
    document.addEventListener("keydown", answer, true)
    document.addEventListener("keydown", handOn, true)
    document.addEventListener("keydown", notePressed, true)
    document.addEventListener("pointerdown", () => (pressed = null), true)
    document.addEventListener("click", giveWay, true)
    document.addEventListener("focusin", (event) => {
        if (!event.target.closest?.(BUTTON)) held = null
    })
    arm()
    nameSections()
    nameButtons()
    takeClicks()
}
