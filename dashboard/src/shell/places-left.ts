/** How a page was left: the scroll positions of its scrollers, and the address of the link that was followed. */
type Place = { tops: number[]; link: string | null }

/** Entries of the history whose place is kept. */
const placesMax = 50
/** A longer list than loads in this time is shown as far as it has come. */
const returnMaxMs = 10_000

const places = new Map<string, Place>()

const scrollers = () => [...document.querySelectorAll<HTMLElement>('.scroller')]

/** Keeps how the page of an entry of the history looks, just before another is shown. */
export function notePlace(key: string): void {
  const link = document.activeElement?.closest('main a')
  places.delete(key)
  places.set(key, { tops: scrollers().map((one) => one.scrollTop), link: link?.getAttribute('href') ?? null })
  for (const oldest of places.keys()) if (places.size > placesMax) places.delete(oldest)
}

/** Returns how the page of an entry was left. Undefined for a new entry. */
export function placeOf(key: string): Place | undefined {
  return places.get(key)
}

/**
 * Scrolls to where a page was left and gives the focus back to the link. A list may have to load its pages again, so
 * this goes on until it is there, the reader does something, or the returned function is called. `isShown` tells
 * whether the page is drawn.
 */
export function returnTo({ tops, link }: Place, isShown: () => boolean): () => void {
  const end = performance.now() + returnMaxMs
  let frame = requestAnimationFrame(step)
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const event of ['wheel', 'touchmove', 'keydown', 'pointerdown']) removeEventListener(event, stop, true)
  }
  function step() {
    if ((isShown() && isThere(tops) && focusLink(link)) || performance.now() > end) return stop()
    frame = requestAnimationFrame(step)
  }
  for (const event of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(event, stop, true)
  return stop
}

/** Scrolls as far as the content allows. Tells whether that is far enough. */
function isThere(tops: number[]): boolean {
  const present = scrollers()
  return tops.every((top, index) => {
    const scroller = present[index]
    if (!scroller) return top === 0
    if (Math.abs(scroller.scrollTop - top) > 1) scroller.scrollTop = top
    return Math.abs(scroller.scrollTop - top) <= 1
  })
}

/** Returns whether the link is there, or none is to be focused. */
function focusLink(address: string | null): boolean {
  if (address === null) return true
  const link = [...document.querySelectorAll<HTMLElement>('main a')].find((one) => one.getAttribute('href') === address)
  link?.focus({ preventScroll: true })
  return link !== undefined
}
