import type { ReactNode } from 'react'
import { Page } from '../frame/page.tsx'
import { Empty } from '../frame/states.tsx'
import { Table, type TableProps } from './table.tsx'

type Props<Row> = Omit<TableProps<Row>, 'name' | 'search' | 'empty'> & {
  title: string
  actions?: ReactNode
  /** A line above the table, for those who may only look. */
  notice?: ReactNode
  /** The heading where there are no rows; the children follow it. */
  none: string
  children: ReactNode
}

/** The page of a list without filters. */
export function ListPage<Row extends { id: string }>({ title, actions, notice, none, children, ...table }: Props<Row>) {
  return (
    <Page title={title} actions={actions}>
      {notice && <p className="muted">{notice}</p>}
      <Table name={title} {...table} empty={<Empty title={none}>{children}</Empty>} />
    </Page>
  )
}
