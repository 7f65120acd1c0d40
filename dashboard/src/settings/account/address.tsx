import { useState } from 'react'
import { post } from '../../api/request.ts'
import { useMe } from '../../session/me.ts'
import { useSignInOptions } from '../../session/options.ts'
import { Status } from '../../status/status.tsx'
import { ActionButton } from '../../ui/button/action-button.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { LineForm } from '../../ui/form/line-form.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { Fact, Facts } from '../../ui/text/facts.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import { Time } from '../../ui/text/time.tsx'

/** The address of the account, and the mail that proves it. */
export function AddressSection() {
  const { user } = useMe()
  return (
    <Section title="Address" className="settings-part">
      <Facts>
        <Fact name="Email" isMono>
          {user.email}
        </Fact>
        <Fact name="Verification">
          <Status of={user.emailVerified ? 'verified' : 'not_verified'} />
        </Fact>
        <Fact name="Account since">
          <Time at={user.createdAt} isExact />
        </Fact>
      </Facts>
      {!user.emailVerified && <SendAgain email={user.email} />}
      <Change />
    </Section>
  )
}

/** Another address is taken once the link that is mailed to it is opened. */
function Change() {
  const isMailed = useSignInOptions()?.mail
  if (isMailed === undefined) return null
  if (!isMailed) return <p className="muted">The address can be changed once this server sends mail of its own.</p>
  return (
    <div className="actions">
      <DialogButton name="Change address">
        {(close) => (
          <LineForm
            label="New address"
            name="email"
            type="email"
            hint="A link is mailed to it. Once you open the link, the address is changed, and every session of yours ends."
            maxLength={254}
            verb="Send link"
            onSubmit={async (email) => {
              await post('/auth/me/email', { body: { email } })
              say(`A link is on its way to ${email}`)
              close()
            }}
          />
        )}
      </DialogButton>
    </div>
  )
}

function SendAgain({ email }: { email: string }) {
  const isMailed = useSignInOptions()?.mail
  const [error, setError] = useState<unknown>()
  if (isMailed === false)
    return <p className="muted">This server sends no mail of its own, so nothing is to be done.</p>
  async function send() {
    await post('/auth/verify-email/resend')
    say(`A link is on its way to ${email}`)
  }
  return (
    <>
      <p className="muted">A link in a mail shows that this address is yours. It is good for 24 hours.</p>
      <Fault error={error} />
      <div className="actions">
        <ActionButton run={send} onFault={setError}>
          Send verification email
        </ActionButton>
      </div>
    </>
  )
}
