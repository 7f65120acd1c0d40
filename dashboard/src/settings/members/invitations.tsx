import { remove } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { useList } from '../../api/list.ts'
import { useMe } from '../../session/me.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { say } from '../../ui/toast.tsx'
import { sentence } from '../../ui/words.ts'
import { type Invitation, invitationsPath } from './member.ts'

const columns: Column<Invitation>[] = [
  { name: 'Email', width: '2fr', narrow: 'first', cell: ({ email }) => <span className="mono">{email}</span> },
  { name: 'Role', width: '104px', narrow: 'second', cell: ({ role }) => sentence(role) },
  {
    name: 'Invited by',
    width: '1fr',
    isExtra: true,
    cell: ({ invitedBy }) => <span title={invitedBy.email}>{invitedBy.name ?? invitedBy.email}</span>,
  },
  { name: 'Expires', width: '128px', narrow: 'second-end', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  { name: 'Revoke', width: '84px', narrow: 'first-end', isHeadUnseen: true, cell: (row) => <Revoke {...row} /> },
]

/** The invitations that nobody has accepted yet, for owners and admins. */
export function Invitations() {
  const list = useList<Invitation>(invitationsPath)
  return (
    <section className="section" aria-labelledby="invitations-head">
      <h2 id="invitations-head">Open invitations</h2>
      <Table
        name="Open invitations"
        list={list}
        columns={columns}
        empty={<p className="muted">No open invitations.</p>}
      />
    </section>
  )
}

function Revoke({ id, email, role }: Invitation) {
  const me = useMe()
  if (role === 'owner' && me.role !== 'owner') return null
  return (
    <ConfirmButton
      name={`Revoke invitation of ${email}`}
      short="Revoke"
      verb="Revoke"
      kind="quiet"
      onConfirm={async () => {
        await remove(`${invitationsPath}/${id}`)
        changed('team')
        say(`The invitation of ${email} is revoked`)
      }}
    >
      <p>Its links stop working at once.</p>
    </ConfirmButton>
  )
}
