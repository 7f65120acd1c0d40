/**
 * True if a text comes before another in the order of code points. UTF-16 units have the same order, except that
 * surrogates (D800 to DFFF) stand for characters beyond U+FFFF.
 */
export function comesBefore(left: string, right: string): boolean {
  const lengthMin = Math.min(left.length, right.length)
  for (let index = 0; index < lengthMin; index++) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (one !== other) return rankOf(one) < rankOf(other)
  }
  return left.length < right.length
}

/** Sorts surrogates after all other units. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
