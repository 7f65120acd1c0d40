/** Returns a round number at or above the largest value: 1, 2, 5, 10, 20, 50 … */
export function roundTop(largest: number): number {
  if (largest <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= largest)!
}

const dashes = ['', '6 4', '2 3', '10 3 2 3', '10 3 2 3 2 3']

/** The dashes that tell a line from the others without its colour. */
export function dashOf(index: number): string {
  return dashes[index % dashes.length]!
}

/**
 * The points of a line through values in a box, with y downwards. A point stands in the middle of its place. A missing
 * value leaves a gap, and a value between two gaps is a short dash.
 */
export function lineThrough(values: (number | null)[], top: number, width: number, height: number): string {
  const step = width / Math.max(1, values.length)
  const isMissing = (index: number) => (values[index] ?? null) === null
  return values
    .map((value, index) => {
      if (value === null) return ''
      const x = (index + 0.5) * step
      const y = round(height - (value / top) * height)
      if (!isMissing(index - 1)) return `L${round(x)} ${y}`
      return isMissing(index + 1) ? `M${round(x - step / 2)} ${y}h${round(step)}` : `M${round(x)} ${y}`
    })
    .join('')
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
