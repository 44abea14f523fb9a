// A figure of the page as it stands on paper: light, as wide as a column, its words in a size that prints.
const WIDTHS = { 85: 447, 180: 948 } // pixels for so many millimetres: words of 13 px are 7 pt on paper
const SMALLEST = 12, LARGEST = { 85: 13, 180: 16 } // px; 12 px are 6.5 pt
const FAMILY = 'Helvetica, Arial, "Liberation Sans", sans-serif'
const MOST_CIRCLES = 30_000 // dots drawn one by one; more of them are an image of four times the resolution
const TALLEST = 1250 // px at any width: no taller than a page

// A picture as it is now, whatever the page does meanwhile; one of several sheets is one on paper, with a legend.
function whole(plot) {
    const { above = [], ...meta } = plot.layout?.meta ?? {}
    const upper = above.map((key) => document.querySelector(`.st-key-${key} .js-plotly-plot`)).filter((one) => one)
    const { data, _fullData, _fullLayout } = plot, _transitionData = { _frames: [...(plot._transitionData?._frames ?? [])] }
    if (!upper.length) return { data, _fullData, layout: plot.layout, _fullLayout, _transitionData }
    meta.alt = [meta.alt, ...upper.map((one) => one.layout.meta.alt)].join(" ")
    const layout = { ...plot.layout, meta, showlegend: true, margin: { ...plot.layout.margin, autoexpand: true } }
    const all = (name) => [plot, ...upper].flatMap((one) => one[name])
    return { data: all("data"), _fullData: all("_fullData"), layout, _fullLayout, _transitionData }
}

// Data, layout and size (px) of what a plot shows now, or of one frame of its film.
function onPaper(plot, mm, background, frame) {
    const shown = frame ? withFrame(plot, frame) : { data: plot.data, layout: plot.layout }
    const seen = shown.data.filter((trace) => !trace.meta?.target)
    const data = structuredClone(seen).map((trace) => sized(onLight(patched(trace)), LARGEST[mm]))
    const layout = sized(onLight(structuredClone(shown.layout)), LARGEST[mm])
    const controls = layout.sliders ? (layout.margin.b ?? 12) - 12 : 0 // of films with controls below the picture
    delete layout.updatemenus
    delete layout.sliders
    dotsAsCircles(data)
    const { width, height, scale, ratio } = fitted(plot, layout, WIDTHS[mm], controls)
    for (const trace of data) dotsScaled(trace, Math.min(Math.max(Math.sqrt(scale), 0.6), 1.3))
    const paper = background === "white" ? "#FFFFFF" : "rgba(0, 0, 0, 0)"
    Object.assign(layout, { width, height, autosize: false, paper_bgcolor: paper, plot_bgcolor: "rgba(0, 0, 0, 0)" })
    layout.font = { ...layout.font, family: FAMILY }
    if (layout.template?.layout) Object.assign(layout.template.layout, { paper_bgcolor: paper })
    if (controls) layout.margin.b = 12
    for (const note of layout.annotations ?? []) if (note.name === "notes") note.text = broken(note.text, width)
    captioned(layout, captionOf(plot, frame), frame ? captionsOf(plot) : [])
    if (ratio) for (const name of ["xaxis", "yaxis"]) layout[name] = { ...layout[name], scaleanchor: undefined, domain: [0, 1] }
    return { data, layout, width, height: layout.height, ratio }
}

// One plot keeps the proportions it has on the page if its axes share a unit; others grow and shrink more in width than
// in height, and panels keep room for their titles. What stands around a plot keeps its size, as its words do.
function fitted(plot, layout, width, controls) {
    const full = plot._fullLayout, inner = full._size
    const around = { x: full.width - inner.w, y: full.height - inner.h - controls }
    const wide = Math.max(width - around.x, 0.2 * width), scale = wide / inner.w
    const axes = Object.keys(full).filter((name) => /^[xy]axis\d*$/.test(name))
    const tied = axes.find((name) => name[0] === "y" && full[name].scaleanchor)
    let tall = Math.max(inner.h * Math.sqrt(scale), Math.min(inner.h, 60))
    const ratio = tied && (full.yaxis._length * trimmed(plot, layout, tied)) / full.xaxis._length // flows have no axes
    if (tied && axes.length === 2) tall = wide * ratio
    else if (tied) tall = inner.h * Math.max(scale * trimmed(plot, layout, tied), 0.75)
    const height = Math.round(Math.min(tall + around.y, TALLEST))
    return { width, height, scale, ratio: tied && axes.length === 2 && height < TALLEST ? ratio : null }
}

// Axes of one unit fill their box on the page with empty paper; without it, how much taller is the picture for its width?
function trimmed(plot, layout, tied) {
    if (!tied) return 1
    const full = plot._fullLayout, other = full[tied].scaleanchor.replace(/^(.)/, "$1axis")
    if (full[tied].constrain === "domain" || full[other].constrain === "domain") return 1
    const shares = [other, tied].map((name) => {
        const [low, high] = full[name].range, values = valuesOn(plot, name)
        const pad = 0.05 * (values.high - values.low)
        const range = [Math.max(low, values.low - pad), Math.min(high, values.high + pad)]
        const alike = (one) => one[0] === name[0] && full[one]?.range?.[0] === low && full[one].range[1] === high
        for (const one of Object.keys(layout).filter((each) => /^[xy]axis\d*$/.test(each) && alike(each))) {
            layout[one] = { ...layout[one], range, autorange: false }
        }
        return (range[1] - range[0]) / (high - low)
    })
    return shares[1] / shares[0]
}

// The least and the largest value of all traces on an axis.
function valuesOn(plot, name) {
    const letter = name[0], ref = name.replace("axis", ""), found = { low: Infinity, high: -Infinity }
    for (const trace of plot._fullData) {
        if ((trace[`${letter}axis`] ?? letter) !== ref) continue
        for (const value of trace[letter] ?? []) {
            if (value < found.low) found.low = value
            if (value > found.high) found.high = value
        }
    }
    return found
}

function withFrame(plot, frame) {
    const data = [...plot.data]
    frame.traces.forEach((place, n) => (data[place] = merged(structuredClone(data[place]), frame.data[n])))
    return { data, layout: plot.layout }
}

function merged(target, changes) {
    for (const [name, value] of Object.entries(changes)) {
        const inside = value && Object.getPrototypeOf(value) === Object.prototype && !("bdata" in value)
        target[name] = inside ? merged(target[name] ?? {}, value) : value
    }
    return target
}

// A colour that was chosen for the page's own paper has another one for white paper beside it.
const patched = (trace) => (trace.meta?.light ? merged(trace, trace.meta.light) : trace)

function captionOf(plot, frame) {
    const slider = plot._fullLayout.sliders?.[0]
    const step = frame ? slider?.steps.find((one) => one.args[0][0] === frame.name) : slider?.steps[slider.active]
    return step?.label
}

const captionsOf = (plot) => plot._fullLayout.sliders?.[0]?.steps.map((step) => step.label) ?? []

// The caption above a picture; frames of one film all have the room that the longest of their captions needs.
function captioned(layout, caption, others) {
    if (!caption) return
    const lines = (words) => broken(words, layout.width).split("<br>").length
    const room = 4 + 17 * Math.max(lines(caption), ...others.map(lines))
    const place = { x: 0, xref: "paper", xanchor: "left", y: 1, yref: "paper", yanchor: "bottom", align: "left" }
    const top = layout.margin.t ?? 34, font = { size: SMALLEST + 1 }
    layout.annotations = [
        ...(layout.annotations ?? []),
        { text: broken(caption, layout.width), showarrow: false, yshift: top - 6, font, ...place },
    ]
    layout.margin.t = top + room
    layout.height += room
}

// Words in lines no longer than the picture is wide.
function broken(words, width) {
    const most = Math.floor((width - 50) / 6.4)
    return words.split("<br>").map((line) => line.replace(new RegExp(`(.{1,${most}})(?: +|$)`, "g"), "$1<br>").replace(/<br>$/, "")).join("<br>")
}

// Dots of WebGL are drawn as circles, sharp at any size, as long as there are not too many.
function dotsAsCircles(data) {
    const drawn = data.filter((trace) => trace.type === "scattergl")
    const dots = drawn.reduce((total, trace) => total + lengthOf(trace.x), 0)
    if (dots <= MOST_CIRCLES) for (const trace of drawn) trace.type = "scatter"
}

// Dots keep their share of a picture, more or less.
function dotsScaled(trace, times) {
    const marker = trace.marker
    if (!/^scatter/.test(trace.type) || !marker?.size) return
    if (typeof marker.size === "number") marker.size *= times
    else if (marker.size.bdata === undefined) marker.size = Array.from(marker.size, (one) => one * times)
}

const lengthOf = (values) => values?.length ?? (values?.bdata ? values.bdata.length / 5 : 0)

// Words of every size between the smallest that prints and the largest that a column holds.
function sized(value, largest, isFont = false) {
    if (Array.isArray(value)) return value.map((one) => sized(one, largest, isFont))
    if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value
    for (const [name, one] of Object.entries(value)) {
        if (isFont && name === "size" && one > 1) value.size = Math.min(Math.max(one, SMALLEST), largest)
        else if (isFont && name === "family") value.family = FAMILY
        else value[name] = sized(one, largest, /^(font|tickfont|textfont)$/.test(name))
    }
    return value
}

const SCALES = new Map(TONES.scales.map(({ dark, light }) => [JSON.stringify(dark), light]))

// Tones and scales of the dark theme, as the light one has them.
function onLight(value) {
    if (typeof value === "string") return tone(value)
    if (Array.isArray(value)) {
        const scale = Array.isArray(value[0]) && SCALES.get(JSON.stringify(value))
        return scale || (typeof value[0] === "number" ? value : value.map(onLight))
    }
    if (!value || Object.getPrototypeOf(value) !== Object.prototype || "bdata" in value) return value
    for (const [name, one] of Object.entries(value)) value[name] = onLight(one)
    return value
}

function tone(text) {
    const parts = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(text)
    if (!parts) return TONES.inks[text] ?? text
    const hex = "#" + parts.slice(1, 4).map((one) => Number(one).toString(16).padStart(2, "0").toUpperCase()).join("")
    const light = TONES.inks[hex]
    return light ? `rgba(${[1, 3, 5].map((n) => parseInt(light.slice(n, n + 2), 16)).join(", ")}, ${parts[4]})` : text
}
