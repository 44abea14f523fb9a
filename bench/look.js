// What a look at a page finds by geometry: a list of complaints. `scene` names what the first screen must show.
(scene) => {
  const found = [], shown = (box) => box.width > 1 && box.height > 1
  const visible = (e) => {
    const s = getComputedStyle(e)
    return e.checkVisibility() && s.visibility !== "hidden" && s.display !== "none" && shown(e.getBoundingClientRect())
  }
  const name = (e) => (e.textContent || e.getAttribute("aria-label") || e.className.toString()).trim().slice(0, 40)
  const main = document.querySelector('[data-testid="stMain"]')

  // Nothing scrolls sideways.
  for (const e of [document.documentElement, main])
    if (e.scrollWidth > e.clientWidth + 1) found.push(`scrolls sideways by ${e.scrollWidth - e.clientWidth} px`)

  // The picture, its knob and its sentence stand inside the first screen.
  if (scene) {
    const parts = { picture: scene.picture, knob: scene.knob }
    for (const [what, key] of Object.entries(parts)) {
      const e = key && document.querySelector(`.st-key-${key}`)
      if (key && !e) found.push(`no ${what} ${key}`)
      else if (e && e.getBoundingClientRect().bottom > innerHeight + 2)
        found.push(`${what} ${key} ends at ${Math.round(e.getBoundingClientRect().bottom)} of ${innerHeight}`)
    }
    const said = [...main.querySelectorAll('[data-testid="stMarkdownContainer"] p')].find((p) => p.textContent.includes(scene.words))
    if (!said) found.push(`no sentence "${scene.words}"`)
    else if (said.getBoundingClientRect().bottom > innerHeight + 2)
      found.push(`the sentence ends at ${Math.round(said.getBoundingClientRect().bottom)} of ${innerHeight}`)
  }

  // Text of figures is at least 13 px, overlaps no other text, and stays inside its figure.
  for (const figure of document.querySelectorAll(".js-plotly-plot")) {
    const box = figure.getBoundingClientRect()
    const key = (figure.closest('[class*="st-key-"]')?.className.match(/st-key-(\w+)/) || [, "?"])[1]
    const texts = [...figure.querySelectorAll("svg text")].filter((t) => {
      const s = getComputedStyle(t)
      return t.textContent.trim() && visible(t) && +s.fillOpacity > 0.05 && +s.opacity > 0.05 && !/, 0\)$/.test(s.fill) && parseFloat(s.fontSize) > 2 && !t.closest(".hoverlayer")
    })
    // Of several lines, those with words: a blank one only keeps room.
    const filled = (t) => [...t.querySelectorAll("tspan.line")].filter((line) => line.textContent.trim())
    const box_of = (t) => {
      const lines = filled(t).map((line) => line.getBoundingClientRect())
      if (!lines.length) return t.getBoundingClientRect()
      const ends = (side) => lines.map((line) => line[side])
      return { left: Math.min(...ends("left")), right: Math.max(...ends("right")), top: Math.min(...ends("top")), bottom: Math.max(...ends("bottom")) }
    }
    const boxes = texts.map(box_of)
    texts.forEach((t, i) => {
      const size = parseFloat(getComputedStyle(t).fontSize), b = boxes[i]
      if (size < 12.9 && !t.closest(".textpoint")) found.push(`${key}: "${name(t)}" is ${size} px`)
      if (b.left < box.left - 2 || b.right > box.right + 2 || b.top < box.top - 2 || b.bottom > box.bottom + 2)
        found.push(`${key}: "${name(t)}" leaves its figure`)
      for (let j = 0; j < i; j++) {
        const c = boxes[j]
        const wide = Math.min(b.right, c.right) - Math.max(b.left, c.left), tall = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top)
        if (wide > 3 && tall > 4) found.push(`${key}: "${name(t)}" covers "${name(texts[j])}"`)
      }
    })
  }

  // Words of the page are not cut.
  for (const e of document.querySelectorAll("button p, label p, h1, h2, h3, [data-testid='stMarkdownContainer'] > p, [data-baseweb='tag'] span")) {
    if (!visible(e) || e.closest(".js-plotly-plot")) continue
    for (let box = e, i = 0; box && i < 4; box = box.parentElement, i++) {
      const s = getComputedStyle(box)
      if (/hidden|clip/.test(s.overflowX) && box.scrollWidth > box.clientWidth + 2 && box.clientWidth > 0) {
        found.push(`"${name(e)}" is cut`)
        break
      }
    }
  }

  // Text stands out from what is behind it by 4.5:1 (large text 3:1).
  const channels = (c) => {
    const parts = (c.replace(/^color\(\w+/, "").match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number)
    return c.startsWith("color(") ? [...parts.slice(0, 3).map((v) => 255 * v), parts[3] ?? 1] : parts
  }
  const over = (front, back) => front.slice(0, 3).map((v, i) => v * (front[3] ?? 1) + back[i] * (1 - (front[3] ?? 1)))
  const luminance = (c) => {
    const [r, g, b] = c.map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (e) => {
    const layers = []
    for (; e; e = e.parentElement) layers.push(channels(getComputedStyle(e).backgroundColor))
    return layers.reverse().reduce((back, layer) => over(layer, back), [255, 255, 255])
  }
  const seen = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement
    if (!node.textContent.trim() || !visible(e) || e.closest("script, style, svg.main-svg .textpoint, svg .bars, [data-testid='stSliderThumbValue'], [disabled], [aria-disabled='true'], canvas, .katex-mathml, .st-key-presets")) continue
    if (e.closest("label")?.parentElement?.querySelector("[disabled]")) continue
    const s = getComputedStyle(e), svg = e instanceof SVGElement
    let color = channels(svg ? s.fill : s.color)
    if (svg && +s.fillOpacity < 1) color = [...color.slice(0, 3), (color[3] ?? 1) * +s.fillOpacity]
    if ((color[3] ?? 1) < 0.05 || parseFloat(s.fontSize) < 3) continue
    let opacity = 1
    for (let p = e; p; p = p.parentElement) opacity *= +getComputedStyle(p).opacity
    if (opacity < 0.05) continue
    const back = behind(svg ? e.closest(".js-plotly-plot, div") : e)
    const front = over([...color.slice(0, 3), (color[3] ?? 1) * opacity], back)
    const [a, b] = [luminance(front), luminance(back)].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05), large = parseFloat(s.fontSize) >= 24
    if (ratio < (large ? 3 : 4.5) - 0.02 && !seen.has(name(e))) {
      seen.add(name(e))
      found.push(`"${name(e)}" has a contrast of ${ratio.toFixed(2)} (${e.tagName.toLowerCase()} ${e.dataset.testid || e.parentElement.dataset.testid || ""})`)
    }
  }

  // Whatever can be used has a name; pictures have words.
  for (const e of document.querySelectorAll("button, a[href], input, select, textarea, [role=slider], [role=button]")) {
    if (!visible(e) || e.closest("[aria-hidden=true]")) continue
    const label = e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.title || e.labels?.[0]?.textContent || e.placeholder
    const icons = [...e.querySelectorAll('[data-testid="stIconMaterial"]:not([aria-hidden=true])')].map((i) => i.textContent).join("")
    const text = e.textContent.replace(icons, "").trim()
    if (!label && (!text || text === [...e.querySelectorAll('[data-testid="stIconMaterial"]')].map((i) => i.textContent).join("").trim()))
      found.push(`${e.tagName.toLowerCase()} ${e.closest('[class*="st-key-"]')?.className.match(/st-key-\w+/) || e.dataset.testid || e.className} has no name`)
    if (icons) found.push(`the icon "${icons}" is read aloud`)
  }
  for (const e of document.querySelectorAll("img:not([alt])")) if (visible(e)) found.push("an image has no words")
  if (!document.documentElement.lang) found.push("the document has no language")
  return [...new Set(found)]
}
