// Files made in the browser: tables, archives, pictures that know their resolution.
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1
    return n
})

function crc32(bytes) {
    let crc = 0xffffffff
    for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8)
    return (crc ^ 0xffffffff) >>> 0
}

function joined(parts) {
    const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
    let place = 0
    for (const part of parts) {
        all.set(part, place)
        place += part.length
    }
    return all
}

const bigEndian = (value) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

// A PNG that says how many dots an inch has: its pHYs chunk stands right after the header, which is 33 bytes long.
function withResolution(png, dpi) {
    const perMetre = bigEndian(Math.round(dpi / 0.0254))
    const chunk = joined([ascii("pHYs"), perMetre, perMetre, Uint8Array.of(1)])
    return joined([png.slice(0, 33), bigEndian(9), chunk, bigEndian(crc32(chunk)), png.slice(33)])
}

// Files in a ZIP archive, stored as they are: pictures are compressed already.
function zipped(files) {
    const little = (...numbers) =>
        joined(numbers.map(([value, width]) => Uint8Array.from({ length: width }, (_, n) => value >>> (8 * n))))
    const bodies = [], entries = []
    let place = 0
    for (const { name, content } of files) {
        const common = [[20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [crc32(content), 4], [content.length, 4], [content.length, 4], [name.length, 2], [0, 2]]
        const head = joined([little([0x04034b50, 4], ...common), ascii(name)])
        entries.push(joined([little([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [place, 4]), ascii(name)]))
        bodies.push(head, content)
        place += head.length + content.length
    }
    const directory = joined(entries)
    const end = little([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [directory.length, 4], [place, 4], [0, 2])
    return joined([...bodies, directory, end])
}

// What a spreadsheet takes for a formula, at the beginning of a cell or of a part of it: as engine.tables.harmless.
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/
const LATER = /([;\t]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

// One cell of a table. Words from outside that a spreadsheet would take for a formula begin with an apostrophe.
function cell(value) {
    if (typeof value === "number") return Number.isFinite(value) ? String(value) : ""
    let text = value === null || value === undefined ? "" : String(value)
    if (!Number.isFinite(Number(text))) text = (FORMULA.test(text) ? "'" : "") + text.replace(LATER, "$1'")
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csv = (rows) => rows.map((row) => row.map(cell).join(",")).join("\n") + "\n"

function save(name, content, type) {
    const url = URL.createObjectURL(new Blob([content], { type }))
    const link = Object.assign(document.createElement("a"), { href: url, download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
