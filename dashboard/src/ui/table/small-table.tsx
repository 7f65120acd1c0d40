import { type Column, tracksOf } from './columns.ts'

/** Below 1024 px the heading stands before the cell. */
type SmallColumn<Row> = Pick<Column<Row>, 'name' | 'width' | 'isHeadUnseen' | 'cell'>

type Props<Row> = { name: string; columns: SmallColumn<Row>[]; rows: Row[]; keyOf: (row: Row) => string }

/** A short table whose rows are as high as their content. Below 1024 px the cells of a row stand under each other. */
export function SmallTable<Row>({ name, columns, rows, keyOf }: Props<Row>) {
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: grid takes the roles of a table away in some browsers */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: the elements are these already */}
      <table role="table" aria-label={name} className="small-table" style={{ '--tracks': tracksOf(columns) } as object}>
        <thead role="rowgroup">
          <tr role="row" className="small-row small-head">
            {columns.map((column) => (
              <th key={column.name} role="columnheader" scope="col">
                <span className={column.isHeadUnseen ? 'unseen' : undefined}>{column.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" className="small-row">
              {columns.map((column) => (
                <td key={column.name} role="cell" data-head={column.isHeadUnseen ? undefined : column.name}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: the elements are these already */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: display: grid takes the roles of a table away in some browsers */}
    </>
  )
}
