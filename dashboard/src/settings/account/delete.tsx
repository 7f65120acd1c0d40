import { useState } from 'react'
import type { OwnedTeam } from '../../../../src/auth/account/owned-team.ts'
import { Refusal } from '../../api/refusal.ts'
import { remove } from '../../api/request.ts'
import { useLeave } from '../../session/leave.ts'
import { useMe } from '../../session/me.ts'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Tick } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Section } from '../../ui/frame/section.tsx'

/** The end of the account, and of the teams in which the person is alone. */
export function DeleteAccount() {
  return (
    <Section title="Delete your account" className="settings-part">
      <p className="muted">
        You leave all teams, and every session ends. API keys that you made stay with their teams, and audit logs keep
        your name.
      </p>
      <div className="actions">
        <DialogButton name="Delete account" title="Delete account?" kind="danger">
          {(close) => <DeleteForm onClose={close} />}
        </DialogButton>
      </div>
    </Section>
  )
}

function DeleteForm({ onClose }: { onClose: () => void }) {
  const { user } = useMe()
  const leave = useLeave()
  /** The teams that the server named, if all of them can be deleted with the account. */
  const [empty, setEmpty] = useState<OwnedTeam[]>([])
  const form = useForm({ deleteTeams: false }, async ({ deleteTeams }) => {
    try {
      await leave(() => remove('/auth/me', { body: { deleteTeams } }))
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) setEmpty(emptyTeams(error.body.teams))
      throw error
    }
    say('Your account is deleted')
  })
  return (
    <Form
      form={form}
      verb="Delete"
      kind="danger"
      onBack={onClose}
      lead={
        <p>
          The account <strong>{user.email}</strong> is removed. This cannot be undone.
        </p>
      }
    >
      {empty.length > 0 && (
        <Tick
          label={`Also delete ${new Intl.ListFormat('en').format(empty.map(({ name }) => name))}`}
          hint="All data of these teams is removed. You are the only member."
          {...form.tick('deleteTeams')}
        />
      )}
    </Form>
  )
}

function emptyTeams(teams: unknown): OwnedTeam[] {
  const named = Array.isArray(teams) ? (teams as OwnedTeam[]) : []
  return named.every(({ otherMembers }) => otherMembers === 0) ? named : []
}
