import { useState } from 'react'
import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import type { Role } from '../../api/roles.ts'
import { useSignInOptions } from '../../session/options.ts'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { type HeldAnswer, useHeldAnswer } from '../../ui/dialog/use-held-history.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import type { CreatedInvitation } from './member.ts'
import { RoleField } from './role-field.tsx'

/** The button *Invite member*, its dialog, and then the link, which is shown once. */
export function InviteMember() {
  const [sent, setSent] = useState<CreatedInvitation | null>(null)
  const held = useHeldAnswer()
  return (
    <>
      <DialogButton name="Invite member" kind="main">
        {(close) => (
          <InviteForm
            held={held}
            onSent={(invitation) => {
              close()
              setSent(invitation)
            }}
          />
        )}
      </DialogButton>
      {sent && <Sent invitation={sent} onDone={() => setSent(null)} />}
    </>
  )
}

function Sent({ invitation, onDone }: { invitation: CreatedInvitation; onDone: () => void }) {
  const isMailed = useSignInOptions()?.mail === true
  return (
    <SecretDialog
      title="Invitation sent"
      label="Invitation link"
      value={invitation.url}
      copyName="Copy link"
      onDone={onDone}
    >
      <p>
        {isMailed
          ? `${invitation.email} should get a link by mail as well. If none arrives, give this one: it is shown only now.`
          : `This server sends no mail of its own. Give this link to ${invitation.email}: it is shown only now.`}{' '}
        It works once, for 7 days.
      </p>
    </SecretDialog>
  )
}

type FormProps = { held: HeldAnswer; onSent: (invitation: CreatedInvitation) => void }

function InviteForm({ held, onSent }: FormProps) {
  const form = useForm<{ email: string; role: Role }>({ email: '', role: 'developer' }, async (values) => {
    const invitation = await held(post('/v1/team/invitations', { body: values }))
    changed('team')
    onSent(invitation)
  })
  return (
    <Form form={form} verb="Send invitation">
      <Field
        label="Email"
        type="email"
        hint="An earlier invitation of this address ends."
        maxLength={254}
        {...form.field('email')}
        autoFocus
      />
      <RoleField form={form} />
    </Form>
  )
}
