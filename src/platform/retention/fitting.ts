/** Returns the first items whose rows together are at most `rowsMax`, and at least one item. */
export function fitting<T extends { rows: number }>(items: T[], rowsMax: number): T[] {
  let sum = 0
  const end = items.findIndex(({ rows }) => {
    sum += rows
    return sum > rowsMax
  })
  return end === -1 ? items : items.slice(0, Math.max(1, end))
}
