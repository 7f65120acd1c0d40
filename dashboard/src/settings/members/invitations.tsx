import { useList } from '../../api/list.ts'
import { remove } from '../../api/request.ts'
import { useMe } from '../../session/me.ts'
import { DeleteButton } from '../../ui/dialog/delete-button.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { actionColumn, type Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import type { Invitation } from './member.ts'

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
  actionColumn('Revoke', '84px', (row) => <Revoke {...row} />),
]

/** Lists the invitations that are not accepted yet, for owners and admins. */
export function Invitations() {
  const list = useList('/v1/team/invitations')
  return (
    <Section title="Open invitations">
      <Table
        name="Open invitations"
        list={list}
        columns={columns}
        empty={<p className="muted">No open invitations.</p>}
      />
    </Section>
  )
}

function Revoke({ id, email, role }: Invitation) {
  const me = useMe()
  if (role === 'owner' && me.role !== 'owner') return null
  return (
    <DeleteButton
      verb="Revoke"
      name={`invitation of ${email}`}
      remove={() => remove('/v1/team/invitations/:id', { id })}
      changes={['team']}
      said={`The invitation of ${email} is revoked`}
    >
      <p>Its links stop working at once.</p>
    </DeleteButton>
  )
}
