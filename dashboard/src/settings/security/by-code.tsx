import { post } from '../../api/request.ts'
import { CodeField } from '../../session/code-field.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import type { HeldAnswer } from '../../ui/dialog/use-held-history.ts'
import { Form, useForm } from '../../ui/form/form.tsx'

type Replacing = { held: HeldAnswer; onDone: (codes: string[]) => void }

/** Replaces the recovery codes, by a code. */
export function NewRecoveryCodes({ held, onDone }: Replacing) {
  async function replace(code: string) {
    const { recoveryCodes } = await held(post('/auth/2fa/recovery-codes', { body: { code } }))
    onDone(recoveryCodes)
  }
  return (
    <DialogButton name="New recovery codes">
      {(close) => (
        <CodeForm about="Your old recovery codes stop working." verb="Replace" submit={replace} onDone={close} />
      )}
    </DialogButton>
  )
}

/** Turns two-factor off, by a code. */
export function TurnOff({ onDone }: { onDone: () => void }) {
  async function turnOff(code: string) {
    await post('/auth/2fa/disable', { body: { code } })
    say('Two-factor is off')
    onDone()
  }
  return (
    <DialogButton name="Turn off two-factor" kind="danger">
      {(close) => (
        <CodeForm
          about="From now on your password alone signs you in. A team that requires two-factor lets you do nothing else until you turn it on again."
          verb="Turn off"
          isDanger
          submit={turnOff}
          onDone={close}
        />
      )}
    </DialogButton>
  )
}

type Props = {
  about: string
  verb: string
  isDanger?: boolean
  submit: (code: string) => Promise<void>
  onDone: () => void
}

function CodeForm({ about, verb, isDanger, submit, onDone }: Props) {
  const form = useForm({ code: '' }, async ({ code }) => {
    await submit(code.trim())
    onDone()
  })
  return (
    <Form form={form} verb={verb} kind={isDanger ? 'danger' : 'main'} lead={<p>{about}</p>}>
      <CodeField {...form.field('code')} />
    </Form>
  )
}
