// Paper for points: they stay in the browser while one paints, also over a visit to another page, until they are used.
const WIDTH = 1.5, DROPPED = 50, DABBED = 4, REMEMBERED = 50
const kept = (window.concordPainted ??= { points: [], past: [] })

let session = null // the component as the last run of the page left it
let parts = null // the elements of the paper
let at = { x: WIDTH / 2, y: 0.5 }, shown = false, last = null

const chosen = (name) => parts.root.querySelector(`[name=${name}]:checked`).value
const radius = () => Number(parts.size.value) / 100
const near = (point) => Math.hypot(point[0] - at.x, point[1] - at.y) <= radius()
const within = (value, most) => Math.round(1e4 * Math.min(most, Math.max(0, value))) / 1e4

function normal() {
    return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}

function add(x, y, label) {
    if (kept.points.length < session.data.most) kept.points.push([within(x, WIDTH), within(y, 1), label])
}

// One touch of the tool at the place where it is.
function touch(tool) {
    const r = radius(), label = Number(chosen("colour"))
    if (tool === "gaussian") for (let n = 0; n < DROPPED; n++) add(at.x + r * normal(), at.y + r * normal(), label)
    if (tool === "brush")
        for (let n = 0; n < DABBED; n++) {
            const far = r * Math.sqrt(Math.random()), angle = 2 * Math.PI * Math.random()
            add(at.x + far * Math.cos(angle), at.y + far * Math.sin(angle), label)
        }
    if (tool === "eraser") kept.points = kept.points.filter((point) => !near(point))
    if (tool === "jitter")
        kept.points = kept.points.map((point) =>
            near(point) ? [within(point[0] + (r / 4) * normal(), WIDTH), within(point[1] + (r / 4) * normal(), 1), point[2]] : point,
        )
    last = { ...at }
    tell()
}

function remember() {
    kept.past = [...kept.past.slice(1 - REMEMBERED), kept.points.slice()]
}

// What is on the paper, in words and in what can be pressed.
function tell(words = "") {
    const n = kept.points.length, { most, least } = session.data
    const full = n >= most ? "The paper is full. " : ""
    const more = n && n < least ? `${least - n} more are needed. ` : ""
    parts.status.textContent = words || `${n.toLocaleString("en")} of ${most.toLocaleString("en")} points. ${full}${more}`
    parts.use.disabled = n < least
    parts.undo.disabled = !kept.past.length
    parts.clear.disabled = !n
    parts.hint.hidden = n > 0
    draw()
}

function draw() {
    const { canvas } = parts, scale = window.devicePixelRatio || 1
    const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale)
    if (!width) return
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    const paper = canvas.getContext("2d"), dot = Math.max(2, width / 260)
    const place = (x, y) => [(x / WIDTH) * width, (1 - y) * height]
    paper.clearRect(0, 0, width, height)
    for (const [x, y, label] of kept.points) {
        paper.fillStyle = session.data.colours[label]
        paper.beginPath()
        paper.arc(...place(x, y), dot, 0, 2 * Math.PI)
        paper.fill()
    }
    if (!shown) return
    paper.strokeStyle = getComputedStyle(canvas).color
    paper.beginPath()
    paper.arc(...place(at.x, at.y), radius() * height, 0, 2 * Math.PI)
    paper.stroke()
}

function aim(event) {
    const box = parts.canvas.getBoundingClientRect()
    at = { x: (WIDTH * (event.clientX - box.left)) / box.width, y: 1 - (event.clientY - box.top) / box.height }
    shown = true
}

function press(event) {
    if (event.button) return // the main button paints, a finger and a pen do
    parts.canvas.setPointerCapture(event.pointerId)
    aim(event)
    remember()
    touch(chosen("tool"))
}

function move(event) {
    aim(event)
    const tool = chosen("tool"), held = parts.canvas.hasPointerCapture(event.pointerId)
    const far = last && Math.hypot(at.x - last.x, at.y - last.y) > radius() / 3
    if (held && tool !== "gaussian" && far) touch(tool)
    else draw()
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }

function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? 0.1 : 0.02, colour = parts.colours.querySelector(`[value="${Number(event.key) - 1}"]`)
    if (STEPS[event.key]) {
        const [x, y] = STEPS[event.key]
        at = { x: within(at.x + step * x, WIDTH), y: within(at.y + step * y, 1) }
        shown = true
    } else if (event.key === " " || event.key === "Enter") {
        remember()
        touch(chosen("tool"))
    } else if (colour) colour.checked = true
    else return
    event.preventDefault()
    event.stopPropagation()
    draw()
}

// Classes without a gap between their numbers: all pages number and colour them so.
function closeUp() {
    const used = [...new Set(kept.points.map(([, , label]) => label))].sort()
    kept.points = kept.points.map(([x, y, label]) => [x, y, used.indexOf(label)])
}

// Black or white on a colour, whichever stands out more.
function legible(colour) {
    const [red, green, blue] = [1, 3, 5].map((n) => (parseInt(colour.slice(n, n + 2), 16) / 255) ** 2.2)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000" : "#fff"
}

function palette() {
    parts.colours.append(
        ...session.data.colours.map((colour, n) => {
            const label = document.createElement("label")
            Object.assign(label.style, { background: colour, color: legible(colour) })
            label.innerHTML = `<input type="radio" name="colour" value="${n}" aria-label="Class ${n + 1}"${n ? "" : " checked"}>${n + 1}`
            return label
        }),
    )
}

export default function (component) {
    session = component
    const root = component.parentElement, find = (what) => root.querySelector(what)
    const [canvas, colours, size] = ["canvas", ".colours", ".size input"].map(find)
    const [use, undo, clear, status, hint] = [".use", ".undo", ".clear", "[role=status]", ".hint"].map(find)
    parts = { root, canvas, colours, size, use, undo, clear, status, hint }
    if (!colours.querySelector("label")) palette()
    canvas.onpointerdown = press
    canvas.onpointermove = move
    canvas.onpointerleave = canvas.onblur = () => { shown = false; draw() }
    canvas.onkeydown = key
    size.oninput = draw
    use.onclick = () => {
        closeUp()
        session.setTriggerValue("painted", kept.points)
        tell("Taking them over")
    }
    undo.onclick = () => { kept.points = kept.past.pop(); tell() }
    clear.onclick = () => { remember(); kept.points = []; tell() }
    const watch = new ResizeObserver(draw)
    watch.observe(canvas)
    tell()
    return () => watch.disconnect()
}
