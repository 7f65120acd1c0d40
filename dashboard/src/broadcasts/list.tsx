import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { useMay, whoMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ButtonLink } from '../ui/button/button.tsx'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import type { Broadcast } from './broadcast.ts'

const columns: Column<Broadcast>[] = [
  { name: 'Name', width: '3fr', narrow: 'first', cell: ({ name }) => name },
  { name: 'Subject', width: '3fr', cell: ({ subject }) => <span className="muted">{subject}</span> },
  { name: 'Segment', width: '2fr', narrow: 'second', cell: ({ segmentName }) => segmentName },
  { name: 'Status', width: '116px', narrow: 'first-end', cell: StatusCell },
  { name: 'Time', width: '128px', narrow: 'second-end', cell: (row) => <Time at={timeOf(row)} /> },
]

/** Nothing follows after *Sent*, other than with an email. */
function StatusCell({ status }: Broadcast) {
  return status === 'sent' ? <Status of="completed" label="Sent" /> : <Status of={status} />
}

/** When it was sent or will be; before that, when it was made. */
function timeOf({ status, sentAt, scheduledAt, createdAt }: Broadcast): string {
  return sentAt ?? (status === 'scheduled' ? scheduledAt : null) ?? createdAt
}

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/broadcasts')

export default function Broadcasts() {
  const list = useList('/v1/broadcasts')
  const mayWrite = useMay('POST /v1/broadcasts')
  const create = mayWrite && (
    <ButtonLink to="/broadcasts/new" kind="main">
      Create broadcast
    </ButtonLink>
  )
  // An empty list has the button below its words. Above, it would vanish with the focus of a keyboard when the list
  // arrives.
  const hasRows = (list.rows?.length ?? 0) > 0
  return (
    <ListPage
      title="Broadcasts"
      actions={hasRows && create}
      list={list}
      columns={columns}
      to={({ id }) => `/broadcasts/${id}`}
      none="No broadcasts yet"
    >
      <p>
        A broadcast is one email to everybody in a segment. It says who gets it before it is sent, and what became of it
        after.
      </p>
      {create || <p className="muted">{whoMay('POST /v1/broadcasts')} may create one.</p>}
    </ListPage>
  )
}
