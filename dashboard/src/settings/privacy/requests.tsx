import { useList } from '../../api/list.ts'
import { Status } from '../../status/status.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { useSelect } from '../../ui/go/address.ts'
import { actionColumn, type Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { looks, type PrivacyRequest } from './request.ts'

const columns: Column<PrivacyRequest>[] = [
  { name: 'Request', width: '96px', narrow: 'first', cell: ({ type }) => sentence(type) },
  {
    ...{ name: 'Status', width: '2fr', narrow: 'second' },
    cell: ({ status }) => <Status of={looks[status]} label={sentence(status)} />,
  },
  { name: 'Begun', width: '132px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  actionColumn('Show', '64px', (request) => <Show {...request} />),
]

/** The exports and erasures of the team. The audit log says who asked for them. */
export function PastRequests() {
  const list = useList('/v1/privacy/requests')
  return (
    <Section title="History" className="settings-part">
      <Table
        name="Privacy requests"
        list={list}
        columns={columns}
        empty={
          <Empty title="No requests yet">
            <p>Exports and erasures are listed here, without the person’s address.</p>
          </Empty>
        }
      />
    </Section>
  )
}

function Show({ id, createdAt }: PrivacyRequest) {
  const select = useSelect()
  const name = `Show what was asked for at ${new Date(createdAt).toLocaleString()}`
  return (
    <Button kind="quiet" aria-label={name} onClick={() => select({ request: id })}>
      Show
    </Button>
  )
}
