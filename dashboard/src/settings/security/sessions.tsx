import { useList } from '../../api/list.ts'
import { type RowOf, remove } from '../../api/request.ts'
import { DeleteButton } from '../../ui/dialog/delete-button.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { actionColumn, type Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'

type Session = RowOf<'/auth/sessions'>

const columns: Column<Session>[] = [
  {
    name: 'Device',
    width: '2fr',
    narrow: 'first',
    cell: ({ userAgent }) => <span title={userAgent ?? undefined}>{deviceOf(userAgent)}</span>,
  },
  {
    name: 'Address',
    width: '1fr',
    narrow: 'second',
    cell: ({ address }) => <span className="mono">{address ?? '–'}</span>,
  },
  { name: 'Signed in', width: '128px', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Last seen', width: '128px', narrow: 'second-end', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  actionColumn('Sign out', '104px', (row) => <SignOut {...row} />),
]

/** The sessions of the signed-in person, in all teams. */
export function Sessions() {
  const list = useList('/auth/sessions')
  return (
    <Section title="Sessions" className="settings-part">
      <Table name="Sessions" list={list} columns={columns} empty={null} />
    </Section>
  )
}

function SignOut({ id, current, userAgent }: Session) {
  if (current) return <span className="muted">This session</span>
  const device = deviceOf(userAgent)
  return (
    <DeleteButton
      verb="Sign out"
      name={device}
      remove={() => remove('/auth/sessions/:id', { id })}
      changes={['auth/sessions']}
      said={`${device} is signed out`}
    >
      <p>The session ends at once. That browser must sign in again.</p>
    </DeleteButton>
  )
}

const browsers: [RegExp, string][] = [
  [/\bEdg\w*\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns *Firefox on Windows*; the first word of a program's user agent; or *Unknown device*. */
function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? userAgent.split(' ')[0]!
}
