// Pictures of a figure on paper, drawn by plotly in the visitor's browser.
const DPI = 300
const SHARP = 1600 // pixels an image of cells has along its longer side, at most

let library = null // plotly with its function toImage, which the page's own copy does not lend; loaded at the first use

function plotly(address) {
    library ??= new Promise((done, fail) => {
        const script = Object.assign(document.createElement("script"), { src: address })
        script.onload = () => done(window.Plotly)
        script.onerror = () => {
            library = null
            script.remove()
            fail(new Error("The drawing library could not be loaded from the server."))
        }
        document.head.append(script)
    })
    return library
}

// A plot whose sides have a fixed ratio fills the width: what else needs room is known once it is drawn.
async function filled(Plotly, figure) {
    if (!figure.ratio) return figure
    const aside = document.createElement("div")
    aside.style.cssText = "position: absolute; left: -10000px"
    document.body.append(aside)
    await Plotly.newPlot(aside, figure.data, structuredClone(figure.layout), { staticPlot: true })
    const { w, h } = aside._fullLayout._size
    Plotly.purge(aside)
    aside.remove()
    const height = Math.round(figure.height + w * figure.ratio - h)
    return { ...figure, height, layout: { ...figure.layout, height } }
}

// A figure as SVG, its size in millimetres, described in words.
async function asSvg(Plotly, figure, mm, words) {
    const config = { plotGlPixelRatio: 4 }
    const options = { format: "svg", width: figure.width, height: figure.height, imageDataOnly: true }
    const text = await Plotly.toImage({ data: figure.data, layout: figure.layout, config }, options)
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
    root.setAttribute("viewBox", `0 0 ${figure.width} ${figure.height}`)
    root.setAttribute("width", `${mm}mm`)
    root.setAttribute("height", `${((figure.height * mm) / figure.width).toFixed(2)}mm`)
    root.removeAttribute("style")
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title")
    title.textContent = words
    root.prepend(title)
    for (const image of root.querySelectorAll("image")) await enlarged(image)
    return new XMLSerializer().serializeToString(root)
}

// Plotly's images have one pixel a cell; programs that smooth what they enlarge get whole squares of pixels.
async function enlarged(image) {
    const link = "http://www.w3.org/1999/xlink", picture = new Image()
    picture.src = image.getAttributeNS(link, "href") ?? image.getAttribute("href")
    await picture.decode()
    const times = Math.floor(SHARP / Math.max(picture.width, picture.height))
    if (times < 2) return
    const width = picture.width * (picture.width > 1 ? times : 1), height = picture.height * (picture.height > 1 ? times : 1)
    const canvas = Object.assign(document.createElement("canvas"), { width, height }), pen = canvas.getContext("2d")
    pen.imageSmoothingEnabled = false
    pen.drawImage(picture, 0, 0, width, height)
    image.setAttributeNS(link, "xlink:href", canvas.toDataURL())
}

// An SVG as a PNG so many pixels wide.
async function asPng(svg, width, height) {
    const picture = new Image()
    picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
    await picture.decode()
    const canvas = Object.assign(document.createElement("canvas"), { width, height })
    const pen = canvas.getContext("2d")
    pen.drawImage(picture, 0, 0, width, height)
    URL.revokeObjectURL(picture.src)
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"))
    return new Uint8Array(await blob.arrayBuffer())
}

function pixels(figure, mm, dpi) {
    const width = Math.round((mm / 25.4) * dpi)
    return { width, height: Math.round((width * figure.height) / figure.width) }
}

async function printed(Plotly, figure, mm, words) {
    const { width, height } = pixels(figure, mm, DPI)
    return withResolution(await asPng(await asSvg(Plotly, figure, mm, words), width, height), DPI)
}

// Every frame of a film as a PNG; `said` hears how far it is.
async function framesOf(Plotly, plot, mm, said) {
    const frames = plot._transitionData._frames, found = []
    for (const frame of frames) {
        said(`Frame ${found.length + 1} of ${frames.length}`)
        const figure = await filled(Plotly, onPaper(plot, mm, "white", frame))
        const even = { width: 2 * Math.round(figure.width * 0.8), height: 2 * Math.round(figure.height * 0.8) } // films want even sizes
        found.push(await asPng(await asSvg(Plotly, figure, mm, ""), even.width, even.height))
    }
    return found
}
