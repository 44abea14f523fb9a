// The menu at every picture: a button that shows itself under the pointer or the focus, and a dialog with the formats.
const PICTURE = '[data-testid="stPlotlyChart"] .js-plotly-plot'
const MIME = { svg: "image/svg+xml", png: "image/png", csv: "text/csv", pdf: "application/pdf", gif: "image/gif", mp4: "video/mp4", zip: "application/zip" }
const LABELS = { svg: "SVG", png: "PNG", pdf: "PDF", csv: "Data (CSV)", gif: "GIF", mp4: "MP4", zip: "Frames (ZIP)" }
const FORM = `
    <form method="dialog">
        <fieldset><legend>Width</legend>
            <label><input type="radio" name="mm" value="85" checked> 85 mm</label>
            <label><input type="radio" name="mm" value="180"> 180 mm</label></fieldset>
        <fieldset><legend>Paper</legend>
            <label><input type="radio" name="paper" value="white" checked> white</label>
            <label><input type="radio" name="paper" value="transparent"> transparent</label></fieldset>
        <div role="group" aria-label="Picture">${buttons("svg", "png", "pdf", "csv")}</div>
        <div role="group" aria-label="Film" class="film">${buttons("gif", "mp4", "zip")}</div>
        <p role="status"></p>
    </form>`

let session = null // the component as the last run of the page left it: what to call, and what the server made
let plot = null // the picture whose menu is open
let asked = 0, waiting = null

function buttons(...formats) {
    return formats.map((one) => `<button type="button" data-format="${one}">${LABELS[one]}</button>`).join("")
}

function arm() {
    const paper = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor
    for (const one of document.querySelectorAll(PICTURE)) {
        const host = one.closest('[data-testid="stPlotlyChart"]')
        if (host.querySelector(":scope > .concord-take") || one.layout?.meta?.card || one.layout?.meta?.sheet) continue
        const button = Object.assign(document.createElement("button"), { type: "button", className: "concord-take", textContent: "Save" })
        button.setAttribute("aria-haspopup", "dialog")
        button.setAttribute("aria-label", `Save this picture: ${one.layout?.meta?.alt ?? ""}`)
        button.addEventListener("click", () => open(host, button))
        button.style.backgroundColor = paper
        host.append(button)
    }
}

function dialog() {
    const there = document.querySelector("dialog.concord-save")
    if (there) return there
    const made = Object.assign(document.createElement("dialog"), { className: "concord-save", innerHTML: FORM })
    made.setAttribute("aria-label", "Save this picture")
    made.addEventListener("keydown", (event) => event.stopPropagation()) // no key of the page behind it
    made.addEventListener("click", (event) => {
        if (event.target === made) made.close() // beside it
        const format = event.target.closest("[data-format]")?.dataset.format
        if (format) take(made, format)
    })
    document.body.append(made)
    return made
}

function open(host, button) {
    plot = host.querySelector(".js-plotly-plot")
    const menu = dialog(), look = getComputedStyle(document.querySelector('[data-testid="stApp"]'))
    Object.assign(menu.style, { color: look.color, backgroundColor: look.backgroundColor })
    menu.querySelector("[data-format=csv]").hidden = !plot._fullData?.some(holdsData)
    menu.querySelector(".film").hidden = !plot._transitionData?._frames?.length
    say(menu, "")
    menu.showModal()
    const at = button.getBoundingClientRect(), own = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(8, at.right - own.width)}px`
    menu.style.top = `${Math.max(8, Math.min(at.bottom + 4, window.innerHeight - own.height - 8))}px`
}

const say = (menu, words) => (menu.querySelector("[role=status]").textContent = words)

async function take(menu, format) {
    const mm = Number(menu.querySelector("[name=mm]:checked").value), paper = menu.querySelector("[name=paper]:checked").value
    const said = (words) => say(menu, words)
    menu.setAttribute("aria-busy", "true")
    for (const one of menu.querySelectorAll("[data-format]")) one.disabled = true
    try {
        if (!plot.isConnected) throw new Error("The picture is not on the page any more")
        said("Drawing")
        const name = `${named(plot)}${format === "csv" ? "" : `_${mm}mm`}.${format}`
        save(name, await made(format, whole(plot), mm, paper, said), MIME[format])
        said(`Saved ${name}`)
    } catch (error) {
        said(error.message)
    } finally {
        menu.removeAttribute("aria-busy")
        for (const one of menu.querySelectorAll("[data-format]")) one.disabled = false
        menu.querySelector(`[data-format=${format}]`).focus()
    }
}

// A picture in a format: most are made here, a PDF and a film by the server from what is drawn here.
async function made(format, plot, mm, paper, said) {
    if (format === "csv") return csv(rowsOf(plot))
    const Plotly = await plotly(new URL(session.data.library, document.baseURI).href)
    if (["gif", "mp4", "zip"].includes(format)) {
        const frames = await framesOf(Plotly, plot, mm, said)
        if (format === "zip") return zipped(frames.map((content, n) => ({ name: `frame_${String(n).padStart(3, "0")}.png`, content })))
        return fromServer(format, { frames: frames.map(asText), milliseconds: pace(plot) }, said)
    }
    const figure = await filled(Plotly, onPaper(plot, mm, paper)), words = plot.layout.meta?.alt ?? ""
    if (format === "png") return printed(Plotly, figure, mm, words)
    const svg = await asSvg(Plotly, figure, mm, words)
    return format === "svg" ? svg : fromServer("pdf", svg, said)
}

// How long a frame of a film stands when somebody plays it.
const pace = (plot) => plot.layout.updatemenus?.[0]?.buttons?.[0]?.args?.[1]?.frame?.duration ?? 450

function fromServer(kind, content, said) {
    said("Converting")
    return new Promise((done, fail) => {
        const id = `${Date.now()}-${++asked}`, since = Date.now()
        const ask = () => session.setTriggerValue("wanted", { id, kind, content })
        waiting = { id, done, fail }
        ask()
        let atRest = 0 // seconds: a question that meets another click is lost on its way, and the page rests without an answer
        const watch = setInterval(() => {
            if (waiting?.id !== id) return clearInterval(watch)
            atRest = document.querySelector('[data-test-script-state="notRunning"]') ? atRest + 1 : 0
            if (Date.now() - since > 1000 * (SECONDS[kind] + 60)) answered({ id, error: "The server has not answered. Try again" })
            else if (atRest === 2) ask(), (atRest = 0)
        }, 1000)
    })
}

function answered(answer) {
    if (!answer || answer.id !== waiting?.id) return
    const { done, fail } = waiting
    waiting = null
    session.setTriggerValue("had", answer.id)
    if (answer.error) fail(new Error(answer.error))
    else done(Uint8Array.from(atob(answer.content), (letter) => letter.charCodeAt(0)))
}

function asText(bytes) {
    let text = ""
    for (let n = 0; n < bytes.length; n += 32_768) text += String.fromCharCode(...bytes.subarray(n, n + 32_768))
    return btoa(text)
}

// Data set and picture, as the page calls them.
function named(plot) {
    const holder = plot.closest('[class*="st-key-"]')
    const key = /st-key-(\S+)/.exec(holder?.className ?? "")?.[1] ?? "picture"
    return `${session.data.name}_${key}`.replace(/[^\w.-]+/g, "-")
}

export default function (component) {
    session = component
    answered(component.data.made)
    if (window.concordSave) window.concordSave.disconnect()
    if (!document.getElementById("concord-save")) {
        document.head.append(Object.assign(document.createElement("style"), { id: "concord-save", textContent: LOOK }))
    }
    let soon = false
    const later = () => {
        if (soon) return
        soon = true
        requestAnimationFrame(() => ((soon = false), arm()))
    }
    window.concordSave = new MutationObserver(later)
    window.concordSave.observe(document.body, { childList: true, subtree: true })
    arm()
}
