import { useMemo, useState } from 'react'
import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Page } from '../../ui/frame/page.tsx'
import { Go } from '../../ui/go/go.tsx'
import { actionColumn, type Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { EndKeys, type KeysLeft } from './end-keys.tsx'
import { Invitations } from './invitations.tsx'
import { InviteMember } from './invite.tsx'
import type { Member } from './member.ts'
import { MemberActions } from './member-actions.tsx'

const facts: Column<Member>[] = [
  {
    name: 'Email',
    width: '2fr',
    narrow: 'first',
    cell: ({ email }) => (
      <span className="mono" title={email}>
        {email}
      </span>
    ),
  },
  { name: 'Name', width: '1fr', isExtra: true, cell: ({ name }) => name ?? <span className="muted">–</span> },
  { name: 'Role', width: '88px', narrow: 'second', cell: ({ role }) => sentence(role) },
  {
    name: 'Two-factor',
    width: '76px',
    isExtra: true,
    cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? 'On' : 'Off'),
  },
  {
    name: 'Last seen',
    width: '112px',
    narrow: 'second-end',
    cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : <span className="muted">Not yet</span>),
  },
  { name: 'Joined', width: '128px', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** With the actions, which say which keys a changed member leaves behind. */
function columnsWith(onKeysLeft: (left: KeysLeft) => void): Column<Member>[] {
  const cell = (row: Member) => (
    <MemberActions member={row} onKeysLeft={(keys) => onKeysLeft({ email: row.email, keys })} />
  )
  return [...facts, actionColumn('Actions', '156px', cell)]
}

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/team/members')

export default function Members() {
  const list = useList('/v1/team/members')
  const mayChange = useMay('POST /v1/team/invitations')
  // Not in the member's row, which goes with the member.
  const [left, setLeft] = useState<KeysLeft>()
  const columns = useMemo(() => columnsWith(setLeft), [])
  return (
    <Page title="Members" above={<Go to="/settings">Settings</Go>} actions={mayChange && <InviteMember />}>
      {!mayChange && (
        <p className="muted">{whoMay('POST /v1/team/invitations')} invite members and change their roles.</p>
      )}
      <Table name="Members" list={list} columns={columns} empty={null} />
      {mayChange && <Invitations />}
      {left && <EndKeys {...left} onClose={() => setLeft(undefined)} />}
    </Page>
  )
}
