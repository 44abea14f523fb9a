// The data of a picture as rows: one a point, a cell, a bar or a flow.
const ERRORS = ["error", "error below", "error above"]
const COLUMNS = ["trace", "panel", "x", "y", "value", "id", "text", "size", ...ERRORS, ...ERRORS.map((one) => `${one} in x`)]

// What is not to be seen (the corners of a picture of pixels), a place to click on, and a key to colours hold none.
function holdsData(trace) {
    return trace.visible === true && trace.marker?.opacity !== 0 && !trace.meta?.target && !trace.meta?.key
}

function rowsOf(plot) {
    const places = new Set(plot._fullData.map((trace) => `${trace.xaxis}${trace.yaxis}`))
    const found = []
    plot._fullData.forEach((trace, number) => {
        if (!holdsData(trace)) return
        const named = { trace: plot.data[number].name ?? `${trace.type} ${number + 1}` }
        if (places.size > 1) named.panel = [...places].indexOf(`${trace.xaxis}${trace.yaxis}`) + 1
        const rows = { sankey: flows, heatmap: cells }[trace.type] ?? points
        for (const row of rows(trace, plot)) found.push({ ...named, ...row })
    })
    const names = new Set(COLUMNS)
    for (const row of found) for (const name in row) names.add(name)
    const used = [...names].filter((name) => found.some((row) => row[name] !== undefined))
    return [used, ...found.map((row) => used.map((name) => row[name]))]
}

function* points(trace, plot) {
    const axes = axesOf(trace, plot)
    for (let n = 0; n < Math.max(trace.x?.length ?? 0, trace.y?.length ?? 0); n++) {
        const x = at(trace.x, n), y = at(trace.y, n)
        if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y)) continue
        const color = trace.marker?.color
        yield {
            x: written(x, axes.x),
            y: written(y, axes.y),
            value: isList(color) && typeof color[n] === "number" ? meant(at(color, n), trace.meta) : undefined,
            ...called(trace, n),
            text: isList(trace.text) ? plain(trace.text[n]) : undefined,
            size: isList(trace.marker?.size) ? at(trace.marker.size, n) : undefined,
            ...bar(trace.error_y, n),
            ...bar(trace.error_x, n, isList(trace.error_y?.array) ? " in x" : ""),
        }
    }
}

// How far a bar reaches from its point: to both sides, or below and above.
function bar(error, n, where = "") {
    if (!isList(error?.array)) return {}
    if (!isList(error.arrayminus)) return { [`error${where}`]: at(error.array, n) }
    return { [`error below${where}`]: at(error.arrayminus, n), [`error above${where}`]: at(error.array, n) }
}

// Who a point is, as the pointer says: by name or by number. What only a click is told is no data.
function called(trace, n) {
    const said = String(trace.hovertemplate)
    if (isList(trace.hovertext) && said.includes("%{hovertext}")) return { id: plain(trace.hovertext[n]) }
    if (!isList(trace.customdata) || !said.includes("%{customdata")) return {}
    const own = trace.customdata[n]
    if (!isList(own)) return { id: own }
    const told = [...said.matchAll(/([a-z ]*)%\{customdata\[(\d+)\][^}]*\}([a-z ]*)/g)] // of several numbers each under its word
    return Object.fromEntries(told.map(([, before, place, after]) => [word(before, after), own[place]]))
}

const word = (before, after) => (before.trim() === "object" ? "id" : before.trim() || after.trim())

function* cells(trace, plot) {
    const axes = axesOf(trace, plot), own = trace.meta?.cell
    for (let row = 0; row < trace.z.length; row++) {
        for (let column = 0; column < trace.z[row].length; column++) {
            const value = at(trace.z[row], column)
            if (value === undefined || value === null || Number.isNaN(value)) continue
            const told = own && trace.customdata[row][column] // where colours stand for something else
            yield {
                x: told ? told[own.x] : written(isList(trace.x) ? at(trace.x, column) : trace.x0 + column * trace.dx, axes.x),
                y: written(isList(trace.y) ? at(trace.y, row) : trace.y0 + row * trace.dy, axes.y),
                value: told ? told[own.value] : meant(value, trace.meta),
            }
        }
    }
}

function* flows(trace) {
    const { source, target, value } = trace.link
    for (let n = 0; n < value.length; n++) {
        yield { x: plain(trace.node.label[source[n]]), y: plain(trace.node.label[target[n]]), value: value[n] }
    }
}

const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value)
const tidy = (value) => Number(value.toPrecision(12))
// What a number that is coloured stands for: so many units, or a power of them.
const meant = (value, meta) => (meta?.unit === undefined ? value : tidy((value * meta.unit) ** (meta.power ?? 1)))
const plain = (text) => (text === undefined ? undefined : signs(String(text).replace(/<br\s*\/?>/g, "; ").replace(/<[^>]+>/g, "")))
const signs = (text) => Object.assign(document.createElement("textarea"), { innerHTML: text }).value

// A value of a list; numbers of single precision without digits that they do not have.
function at(list, place) {
    const value = list?.[place]
    return list instanceof Float32Array && Number.isFinite(value) ? Number(value.toPrecision(7)) : value
}

function axesOf(trace, plot) {
    const named = (ref, letter) => plot._fullLayout[`${letter}axis${(ref ?? letter).slice(1)}`] ?? {}
    return { x: named(trace.xaxis, "x"), y: named(trace.yaxis, "y") }
}

// A value as its axis writes it, where places on an axis stand for names.
function written(value, axis) {
    if (!isList(axis.tickvals) || !isList(axis.ticktext) || axis.tickmode !== "array") return value
    const place = Array.from(axis.tickvals).indexOf(value)
    return place < 0 ? value : plain(String(axis.ticktext[place]).replace(/<br\s*\/?>/g, " ")) // a name broken into lines
}
