import { useState } from 'react'
import { Refusal } from '../../api/refusal.ts'
import { post } from '../../api/request.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { CodeField } from '../code-field.tsx'
import { openSession } from '../me.ts'

/** Asks for the code of an account that a provider has identified. */
export function SecondFactor({ pending, onDone }: { pending: string; onDone: () => void }) {
  const [pendingToken, setPendingToken] = useState(pending)
  const form = useForm({ twoFactorCode: '' }, async ({ twoFactorCode }) => {
    try {
      const body = { pendingToken, twoFactorCode: twoFactorCode.trim() }
      await openSession(await post('/auth/oauth', { body }, { isAnonymous: true }))
      onDone()
    } catch (error) {
      // A wrong code gets a token with another five minutes.
      if (error instanceof Refusal && typeof error.body.pendingToken === 'string') {
        setPendingToken(error.body.pendingToken)
      }
      throw error
    }
  })
  return (
    <Form form={form} verb="Sign in" place="door">
      <CodeField {...form.field('twoFactorCode')} />
    </Form>
  )
}
