import { Status } from '../status/status.tsx'
import { CopyButton } from '../ui/button/copy.tsx'
import { SmallTable } from '../ui/table/small-table.tsx'
import { type Domain, type DomainRecord, findingOf } from './domain.ts'

/** The records to publish, each with its state and what DNS was found to say. */
export function Records({ domain }: { domain: Domain }) {
  return (
    <SmallTable<DomainRecord>
      name="DNS records"
      rows={domain.records}
      keyOf={({ type, name, value }) => `${type} ${name} ${value.slice(-40)}`}
      columns={[
        { name: 'Type', width: '56px', cell: ({ type }) => type.toUpperCase() },
        { name: 'Name', width: '4fr', cell: ({ name }) => <Copied text={name} copyName="Copy name" /> },
        { name: 'Value', width: '5fr', cell: (record) => <Value of={record} /> },
        { name: 'Priority', width: '56px', cell: ({ priority }) => priority ?? <span className="muted">–</span> },
        { name: 'State', width: '168px', cell: (record) => <State record={record} domain={domain} /> },
      ]}
    />
  )
}

function Value({ of: { value, note } }: { of: DomainRecord }) {
  return note === undefined ? <Copied text={value} copyName="Copy value" /> : <span className="muted">{note}</span>
}

function Copied({ text, copyName }: { text: string; copyName: string }) {
  return (
    <span className="record-text">
      <span className="mono">{text}</span>
      <CopyButton text={text} name={copyName} isSmall />
    </span>
  )
}

function State({ record, domain }: { record: DomainRecord; domain: Domain }) {
  return (
    <div>
      <Status of={record.status} />
      <p className="small muted">{findingOf(record, domain)}</p>
    </div>
  )
}
