/** The longest part for which JavaScript's own search is always faster. */
const shortMax = 32

/**
 * Like `text.includes(part)`, in a time that grows with the sum of the lengths (Knuth, Morris and Pratt). The time of
 * JavaScript's own search grows with their product on repetitive texts: seconds for a few hundred thousand characters.
 */
export function includes(text: string, part: string): boolean {
  if (part.length <= shortMax || part.length > text.length) return text.includes(part)
  return placesOf(text, part, 1).length > 0
}

/** Like `text.replaceAll(part, () => by)`, in a time that grows with the sum of the lengths. */
export function replaceEach(text: string, part: string, by: string): string {
  if (part.length <= shortMax || part.length > text.length) return text.replaceAll(part, () => by)
  const pieces: string[] = []
  let at = 0
  for (const place of placesOf(text, part, Number.POSITIVE_INFINITY)) {
    pieces.push(text.slice(at, place))
    at = place + part.length
  }
  pieces.push(text.slice(at))
  return pieces.join(by)
}

/** Finds where a text has the part, up to so many places that do not overlap. */
function placesOf(text: string, part: string, countMax: number): number[] {
  const places: number[] = []
  const first = text.indexOf(part.slice(0, shortMax))
  if (first < 0) return places
  const borders = bordersOf(part)
  let matched = 0
  for (let index = first; index < text.length && places.length < countMax; index++) {
    const unit = text.charCodeAt(index)
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1]!
    if (part.charCodeAt(matched) === unit) matched++
    if (matched < part.length) continue
    places.push(index + 1 - part.length)
    matched = 0
  }
  return places
}

/** For each prefix of the text: the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let index = 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length - 1]!
    if (text.charCodeAt(length) === unit) length++
    borders[index] = length
  }
  return borders
}
