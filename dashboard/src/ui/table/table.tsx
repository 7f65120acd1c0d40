import { type ReactNode, useRef } from 'react'
import type { List } from '../../api/list.ts'
import type { PagePath } from '../../paths.ts'
import { Failed, Loading } from '../frame/states.tsx'
import type { Address } from '../go/address.ts'
import { Go } from '../go/go.tsx'
import { useMedia } from '../use-media.ts'
import { type Column, tracksOf } from './columns.ts'
import { More } from './more.tsx'
import { useResultTold } from './use-result-told.ts'
import { useRowSize, useRows } from './use-rows.ts'

export type TableProps<Row> = {
  /** The accessible name, such as *Emails*. */
  name: string
  list: List<Row>
  columns: Column<Row>[]
  /** The page of a row. Its link is the first column; a click anywhere in the row follows it. */
  to?: (row: Row) => PagePath
  /** Parameters of the rows' pages, such as the mode. */
  search?: Address
  /** Shown if there are no rows. */
  empty: ReactNode
}

/** A list as a table. Only the rows in sight are in the page; the next page is fetched near the end. */
export function Table<Row extends { id: string }>({ name, list, columns, to, search, empty }: TableProps<Row>) {
  useResultTold(list)
  if (list.rows === undefined) {
    return list.error ? <Failed error={list.error} onRetry={list.retry} /> : <Loading lines={8} />
  }
  if (list.rows.length === 0) return empty
  return (
    <Rows name={name} list={list} rows={list.rows} columns={columns} {...(to && { to })} {...(search && { search })} />
  )
}

type RowsProps<Row> = Omit<TableProps<Row>, 'empty'> & { rows: Row[] }

function Rows<Row extends { id: string }>({ name, list, rows, columns: all, to, search }: RowsProps<Row>) {
  const isSmall = useMedia('(max-width: 1023px)')
  const columns = all.filter(({ isExtra }) => !isExtra || !isSmall)
  const body = useRef<HTMLTableSectionElement>(null)
  const size = useRowSize(columns.some(({ isHeadUnseen }) => isHeadUnseen))
  const { items, height, offset } = useRows(body, rows.length, list, size)
  const tracks = { '--tracks': tracksOf(columns) } as object
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: grid takes the roles of a table away in some browsers */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: the elements are these already */}
      <table
        role="table"
        aria-label={name}
        aria-rowcount={list.hasMore ? -1 : rows.length + 1}
        className="table"
        style={tracks}
      >
        <Head columns={columns} />
        <tbody role="rowgroup" ref={body} className="table-body" style={{ height }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index]!
            return (
              <tr
                key={row.id}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                className="table-row"
                style={{ transform: `translateY(${start - offset}px)`, height: size }}
              >
                <Cells row={row} columns={columns} to={to} search={search} />
              </tr>
            )
          })}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: the elements are these already */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: display: grid takes the roles of a table away in some browsers */}
      <More list={list} />
    </>
  )
}

function Head<Row>({ columns }: { columns: Column<Row>[] }) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as of the table
    // biome-ignore-start lint/a11y/useSemanticElements: as of the table
    <thead role="rowgroup">
      <tr role="row" className="table-row table-head" aria-rowindex={1}>
        {columns.map((column) => (
          <th key={column.name} role="columnheader" scope="col" className={cellClass(column)}>
            <span className={column.isHeadUnseen ? 'unseen' : undefined}>{column.name}</span>
          </th>
        ))}
      </tr>
    </thead>
    // biome-ignore-end lint/a11y/useSemanticElements: as of the table
    // biome-ignore-end lint/a11y/noRedundantRoles: as of the table
  )
}

type CellsProps<Row> = {
  row: Row
  columns: Column<Row>[]
  to: ((row: Row) => PagePath) | undefined
  search: Address | undefined
}

function Cells<Row>({ row, columns, to, search }: CellsProps<Row>) {
  return columns.map((column, place) => (
    // biome-ignore lint/a11y/noRedundantRoles: as of the table
    <td key={column.name} role="cell" className={cellClass(column)}>
      {place === 0 && to ? (
        <Go to={to(row)} className="row-link" {...(search && { search })}>
          {column.cell(row)}
        </Go>
      ) : (
        column.cell(row)
      )}
    </td>
  ))
}

function cellClass<Row>({ narrow, isNumber }: Column<Row>): string {
  return `cell ${isNumber ? 'cell-number' : ''} cell-${narrow ?? 'wide'}`
}
