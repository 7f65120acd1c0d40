import type { RecipientStatus } from '../../../../src/broadcasts/results/schema.ts'
import { type ListRow, useList } from '../../api/list.ts'
import { Status } from '../../status/status.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { ListFilter, ListTools } from '../../ui/table/tools.tsx'

const outcomes: Record<RecipientStatus, string> = {
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Complained',
  unsubscribed: 'Left out: unsubscribed',
  suppressed: 'Left out: suppressed',
  notOptedIn: 'Left out: not opted in',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

const columns: Column<ListRow<'/v1/broadcasts/:id/recipients'>>[] = [
  {
    ...{ name: 'Contact', width: '1fr', narrow: 'first' },
    cell: ({ contactId, email }) =>
      email === null ? (
        <span className="muted">A deleted contact</span>
      ) : (
        <Go to={`/contacts/${contactId}`} className="mono">
          {email}
        </Go>
      ),
  },
  {
    ...{ name: 'Outcome', width: '188px', narrow: 'second' },
    cell: ({ status }) => <Status of={status} label={outcomes[status]} />,
  },
  {
    ...{ name: 'Email', width: '96px', narrow: 'first-end', isHeadUnseen: true, isNumber: true },
    cell: ({ emailId, email }) =>
      emailId && (
        <Go to={`/emails/${emailId}`} aria-label={`Show email to ${email ?? 'a deleted contact'}`}>
          Show email
        </Go>
      ),
  },
]

/** The recipients, by what became of each. */
export function Recipients({ id }: { id: string }) {
  const [{ outcome }] = useAddress()
  const list = useList('/v1/broadcasts/:id/recipients', { id, status: outcome })
  return (
    <Section title="Recipients" level={3}>
      <ListTools>
        <ListFilter
          name="Outcome"
          parameter="outcome"
          all="Any outcome"
          options={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
        />
      </ListTools>
      <Table
        name="Recipients"
        list={list}
        columns={columns}
        empty={<p className="muted">{outcome ? 'No recipient had this outcome.' : 'No recipients yet.'}</p>}
      />
    </Section>
  )
}
