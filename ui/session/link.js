// A button that takes the address of what is seen along; where the browser has no clipboard (plain http), by a selection.
export default function ({ parentElement, data }) {
    const button = parentElement.querySelector("button")
    button.onclick = async () => {
        const address = window.location.href
        try {
            await navigator.clipboard.writeText(address)
        } catch {
            const held = document.body.appendChild(document.createElement("textarea"))
            held.value = address
            held.select()
            document.execCommand("copy")
            held.remove()
        }
        button.textContent = data.lost ? `Copied, but for ${data.lost}` : "Copied: opens as you see it"
        setTimeout(() => (button.textContent = "Copy link"), 2500)
    }
}
