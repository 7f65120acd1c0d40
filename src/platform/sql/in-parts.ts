type Bounds = { sizeMax: number; rowsMax?: number }

/**
 * Splits rows into parts of at most `sizeMax` together, and of at most `rowsMax` rows, in their order. A larger row is
 * a part of its own.
 */
export function inParts<Row>(
  rows: Row[],
  sizeOf: (row: Row) => number,
  { sizeMax, rowsMax = Number.POSITIVE_INFINITY }: Bounds,
): Row[][] {
  const parts: Row[][] = []
  let size = 0
  for (const row of rows) {
    const own = sizeOf(row)
    const last = parts.at(-1)
    if (last && last.length < rowsMax && size + own <= sizeMax) {
      last.push(row)
      size += own
    } else {
      parts.push([row])
      size = own
    }
  }
  return parts
}
