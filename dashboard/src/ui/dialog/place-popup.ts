const gapPx = 4
const edgePx = 8

/** Places a popover below its button, or above where there is more room, within the window. */
export function placePopup(popup: HTMLElement, anchor: Element, align: 'start' | 'end' = 'start'): void {
  const from = anchor.getBoundingClientRect()
  const { width, height } = popup.getBoundingClientRect()
  const below = from.bottom + gapPx
  const isAbove = below + height > innerHeight - edgePx && from.top > innerHeight - from.bottom
  const left = align === 'start' ? from.left : from.right - width
  popup.style.top = `${Math.max(edgePx, isAbove ? from.top - gapPx - height : Math.min(below, innerHeight - height - edgePx))}px`
  popup.style.left = `${Math.max(edgePx, Math.min(left, innerWidth - width - edgePx))}px`
}
