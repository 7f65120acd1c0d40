import type { ReactNode } from 'react'

export type Series = { key: string; name: string; tone: 'green' | 'blue' | 'amber' | 'red' | 'purple' | 'muted' }
export type Point = { at: string; values: Record<string, number | null> }

export type FigureProps = {
  /** The heading and accessible name, such as *Emails over time*. */
  name: string
  /** The figure in words: *4 sent*. */
  words: ReactNode
  series: Series[]
  points: Point[]
  /** Shows the time of a point, such as *3 Nov*. */
  labelOf: (at: string) => string
  /** Shows a value: a count, unless this says otherwise. */
  format?: (value: number) => string
  /** The top of the scale, such as 1 for a rate. */
  top?: number
}
