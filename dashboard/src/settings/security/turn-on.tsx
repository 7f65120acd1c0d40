import { useState } from 'react'
import type { Posts } from '../../api/endpoints.ts'
import { post } from '../../api/request.ts'
import { CodeField } from '../../session/code-field.tsx'
import { ActionButton } from '../../ui/button/action-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Secret } from '../../ui/dialog/secret.tsx'
import type { HeldAnswer } from '../../ui/dialog/use-held-history.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Fault } from '../../ui/text/fault.tsx'

type Setup = Posts['/auth/2fa/setup']['answer']

type Props = { held: HeldAnswer; onDone: (recoveryCodes: string[]) => void }

/** Asks for a secret, shows it as a QR code and as text, and turns two-factor on by a code of it. */
export function TurnOn({ held, onDone }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const [error, setError] = useState<unknown>()
  const begin = async () => setSetup(await post('/auth/2fa/setup'))
  const finish = (codes: string[]) => {
    setSetup(null)
    onDone(codes)
  }
  return (
    <>
      <Fault error={error} />
      <ActionButton kind="main" aria-haspopup="dialog" run={begin} onFault={setError}>
        Turn on two-factor
      </ActionButton>
      {setup && (
        <Dialog title="Turn on two-factor" onClose={() => setSetup(null)}>
          <SetupForm setup={setup} held={held} onDone={finish} />
        </Dialog>
      )}
    </>
  )
}

function SetupForm({ setup, held, onDone }: Props & { setup: Setup }) {
  const form = useForm({ code: '' }, async ({ code }) => {
    const { recoveryCodes } = await held(post('/auth/2fa/verify', { body: { code: code.trim() } }))
    onDone(recoveryCodes)
  })
  return (
    <Form
      form={form}
      verb="Turn on"
      lead={
        <>
          <p>
            Scan this with your authenticator app, or type the secret into it. Then enter the code that the app shows.
          </p>
          <img className="qr-code" src={setup.qrCode} alt="QR code" width={180} height={180} />
          <Secret label="Secret" value={setup.secret} copyName="Copy secret" />
          <p className="small">
            <a href={setup.otpauthUrl}>Open in an app on this device</a>
          </p>
        </>
      }
    >
      <CodeField hint="The six digits that the app shows now." inputMode="numeric" {...form.field('code')} />
    </Form>
  )
}
