import { useList } from '../../api/list.ts'
import { useSelect } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { sentence } from '../../ui/words.ts'
import { type AuditEntry, auditPath, textOf } from '../audit/entry.ts'

const columns: Column<AuditEntry>[] = [
  { name: 'Request', width: '96px', narrow: 'first', cell: ({ changes }) => sentence(textOf(changes.type?.to)) },
  { name: 'By', width: '2fr', narrow: 'second', cell: ({ actor }) => <span title={actor.name}>{actor.name}</span> },
  { name: 'Begun', width: '132px', narrow: 'second-end', cell: ({ at }) => <Time at={at} /> },
  { name: 'Show', width: '64px', narrow: 'first-end', isHeadUnseen: true, cell: (entry) => <Show {...entry} /> },
]

/** The requests of the last 400 days. The audit log holds them, because the API lists none. */
export function PastRequests() {
  const list = useList<AuditEntry>(auditPath, { action: 'privacy_request.created' })
  return (
    <section className="section settings-part" aria-labelledby="past-head">
      <h2 id="past-head">Past requests</h2>
      <Table
        name="Privacy requests"
        list={list}
        columns={columns}
        empty={
          <Empty title="No requests yet">
            <p>Exports and erasures of the last 400 days are listed here, without the person’s address.</p>
          </Empty>
        }
      />
    </section>
  )
}

function Show({ at, target }: AuditEntry) {
  const select = useSelect()
  const name = `Show what was asked for at ${new Date(at).toLocaleString()}`
  return (
    <Button kind="quiet" aria-label={name} onClick={() => select({ request: target.id })}>
      Show
    </Button>
  )
}
