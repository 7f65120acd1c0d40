import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { startOfDay } from '../../ui/form/local-time.ts'
import { Page } from '../../ui/frame/page.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { type Address, useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { actionColumn, type Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { ListDay, ListExact, ListTools, MoreFilters } from '../../ui/table/tools.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { AuditDetails } from './details.tsx'
import { type AuditEntry, targetOf, wordsOf } from './entry.ts'

const columns: Column<AuditEntry>[] = [
  { name: 'Change', width: '1.4fr', narrow: 'first', cell: ({ action }) => wordsOf(action) },
  {
    name: 'Target',
    width: '2fr',
    narrow: 'second',
    cell: (entry) => <span title={`${sentence(entry.target.type)}: ${targetOf(entry)}`}>{targetOf(entry)}</span>,
  },
  {
    name: 'By',
    width: '1fr',
    isExtra: true,
    cell: ({ actor }) => <span title={sentence(actor.type)}>{actor.name}</span>,
  },
  {
    name: 'Address',
    width: '120px',
    isExtra: true,
    cell: ({ address }) => <span className="mono">{address ?? '–'}</span>,
  },
  { name: 'Time', width: '128px', narrow: 'second-end', cell: ({ at }) => <Time at={at} /> },
  actionColumn('Details', '84px', (entry) => <AuditDetails entry={entry} />),
]

function filtersOf({ actor, action, target, from, until }: Address) {
  return { actor, action, target, from: startOfDay(from), until: startOfDay(until, 1) }
}

export const prefetch: Prefetch = (client, { search }) => prefetchList(client, '/v1/audit', filtersOf(search))

export default function AuditLog() {
  const mayRead = useMay('GET /v1/audit')
  return (
    <Page title="Audit log" above={<Go to="/settings">Settings</Go>}>
      {mayRead ? <Entries /> : <p className="muted">{whoMay('GET /v1/audit')} read the audit log.</p>}
    </Page>
  )
}

function Entries() {
  const [address] = useAddress()
  const filters = filtersOf(address)
  const list = useList('/v1/audit', filters)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <>
      <p className="muted">Who changed what in the last 400 days. Filters take exact names and ids.</p>
      <ListTools>
        <ListExact name="By" parameter="actor" example="Name or id" />
        <MoreFilters parameters={['action', 'target', 'from', 'until']}>
          <ListExact name="Action" parameter="action" example="api_key.created" />
          <ListExact name="Target" parameter="target" example="Name or id" />
          <ListDay name="From" parameter="from" />
          <ListDay name="Until" parameter="until" />
        </MoreFilters>
      </ListTools>
      <Table
        name="Audit log"
        list={list}
        columns={columns}
        empty={
          <Empty title={isFiltered ? 'No change matches' : 'No changes yet'}>
            <p>Changes of settings, people, keys, secrets and billing are listed here.</p>
          </Empty>
        }
      />
    </>
  )
}
