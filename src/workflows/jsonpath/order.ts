/**
 * Whether a text comes before another by the numbers of their characters. Units of UTF-16 are in the same order, but that halves of
 * a pair (D800 to DFFF) stand for what is beyond U+FFFF.
 */
export function comesBefore(left: string, right: string): boolean {
  const lengthMin = Math.min(left.length, right.length)
  for (let index = 0; index < lengthMin; index++) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (one !== other) return rankOf(one) < rankOf(other)
  }
  return left.length < right.length
}

/** The halves of pairs go behind all other units. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
