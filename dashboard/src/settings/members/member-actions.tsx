import { changed } from '../../api/client.ts'
import { patch, remove } from '../../api/request.ts'
import { useLeave } from '../../session/leave.ts'
import { useMe } from '../../session/me.ts'
import { ConfirmButton } from '../../ui/dialog/confirm.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { sentence } from '../../ui/text/words.ts'
import type { KeysBeyond, Member } from './member.ts'
import { RoleField } from './role-field.tsx'

type Props = {
  member: Member
  /** Is given the API keys of the member that may do more than the member from now on. */
  onKeysLeft: (keys: KeysBeyond) => void
}

/** The actions on a member that the signed-in person may take: change the role, remove, or leave. */
export function MemberActions({ member, onKeysLeft }: Props) {
  const { user, role } = useMe()
  const isSelf = member.userId === user.id
  const mayChange = role === 'owner' || (role === 'admin' && member.role !== 'owner')
  return (
    <span className="row-actions">
      {mayChange && (
        <DialogButton name={`Change role of ${member.email}`} short="Role" kind="quiet">
          {(close) => <RoleForm member={member} onKeysLeft={onKeysLeft} onDone={close} />}
        </DialogButton>
      )}
      {isSelf ? <Leave member={member} /> : mayChange && <Remove member={member} onKeysLeft={onKeysLeft} />}
    </span>
  )
}

function RoleForm({ member, onKeysLeft, onDone }: Props & { onDone: () => void }) {
  const me = useMe()
  const form = useForm({ role: member.role }, async ({ role }) => {
    const { apiKeys } = await patch('/v1/team/members/:userId', { userId: member.userId, body: { role } })
    changed('team')
    if (member.userId === me.user.id) changed('auth/me', 'auth/teams')
    say(`${member.email} is ${sentence(role).toLowerCase()} now`)
    onDone()
    if (apiKeys && member.userId !== me.user.id) onKeysLeft(apiKeys)
  })
  return (
    <Form form={form} verb="Save">
      <RoleField form={form} />
      <p className="small muted">It applies from the member’s next request.</p>
    </Form>
  )
}

function Remove({ member: { userId, email }, onKeysLeft }: Props) {
  return (
    <ConfirmButton
      name={`Remove ${email}`}
      short="Remove"
      verb="Remove"
      kind="quiet"
      onConfirm={async () => {
        const { apiKeys } = await remove('/v1/team/members/:userId', { userId })
        changed('team')
        say(`${email} is no longer a member`)
        if (apiKeys) onKeysLeft(apiKeys)
      }}
    >
      <p>
        Sessions in this team and invitations that this member made end at once. API keys that the member made stay, and
        you can end them next.
      </p>
    </ConfirmButton>
  )
}

function Leave({ member: { userId } }: { member: Member }) {
  const { team } = useMe()
  const leave = useLeave()
  return (
    <ConfirmButton
      name={`Leave ${team.name}`}
      short="Leave"
      verb="Leave"
      kind="quiet"
      onConfirm={async () => {
        await leave(() => remove('/v1/team/members/:userId', { userId }))
        say(`You left ${team.name}`)
      }}
    >
      <p>You are signed out, and see this team again only if someone invites you. API keys that you made stay.</p>
    </ConfirmButton>
  )
}
