import { useList } from '../api/list.ts'
import { Empty } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import type { Column } from '../ui/table/columns.ts'
import { Table } from '../ui/table/table.tsx'
import { Time } from '../ui/text/time.tsx'
import { dollars } from '../ui/text/words.ts'
import type { Entry } from './billing.ts'

const kinds: Record<Entry['kind'], string> = {
  debit: 'SMS',
  overage: 'SMS beyond the credit',
  reversal: 'SMS that was not sent',
  refill: 'Credit of the period',
  grant: 'Credit given',
  zero: 'Rest of the period ended',
}

const columns: Column<Entry>[] = [
  { name: 'Entry', width: '2fr', narrow: 'first', cell: ({ kind }) => kinds[kind] },
  { name: 'Message', width: '1fr', isExtra: true, cell: Message },
  { name: 'Time', width: '128px', narrow: 'second', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Amount', width: '112px', isNumber: true, narrow: 'first-end', cell: ({ cents }) => signed(cents) },
  {
    name: 'Credit after',
    width: '112px',
    isNumber: true,
    narrow: 'second-end',
    cell: ({ balanceCents }) => exact(balanceCents),
  },
]

/** The entries of the SMS credit, newest first. */
export function Ledger() {
  const list = useList('/v1/billing/entries')
  return (
    <Table
      name="Ledger"
      list={list}
      columns={columns}
      empty={
        <Empty title="No entries yet">
          <p>Each SMS takes its price from the credit, and each period fills it again.</p>
        </Empty>
      }
    />
  )
}

function Message({ messageId }: Entry) {
  if (messageId === null) return <span className="muted">–</span>
  return (
    <Go to={`/sms/${messageId}`}>
      <span className="mono">{messageId.slice(0, 8)}…</span>
    </Go>
  )
}

/** Prices of SMS have hundredths of a cent. */
function exact(cents: number): string {
  return dollars(cents / 100, Number.isInteger(cents) ? 2 : 4)
}

function signed(cents: number): string {
  return cents > 0 ? `+${exact(cents)}` : exact(cents)
}
