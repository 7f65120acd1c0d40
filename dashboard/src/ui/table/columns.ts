import type { ReactNode } from 'react'

export type Column<Row> = {
  /** The heading. */
  name: string
  /** A track of CSS grid, such as `2fr` or `120px`. The column shrinks to nothing rather than widening the table. */
  width?: string
  /**
   * Where the cell stands in the two lines that a row has below 900 px: the first or second line, at its start or end.
   * Left out: not shown there.
   */
  narrow?: 'first' | 'first-end' | 'second' | 'second-end'
  /** Left out below 1024 px. */
  isExtra?: boolean
  /** Numbers stand at the end. */
  isNumber?: boolean
  /** The heading is for screen readers only, such as over buttons. */
  isHeadUnseen?: boolean
  cell: (row: Row) => ReactNode
}

/** The last column, of what can be done with a row. Screen readers hear its name. */
export function actionColumn<Row>(name: string, width: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { name, width, narrow: 'first-end', isHeadUnseen: true, cell }
}

/** The tracks of the grid. */
export function tracksOf(columns: { width?: string }[]): string {
  return columns.map(({ width = '1fr' }) => (width.endsWith('fr') ? `minmax(0, ${width})` : width)).join(' ')
}
