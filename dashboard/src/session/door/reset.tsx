import { useState } from 'react'
import { post } from '../../api/request.ts'
import { ButtonLink } from '../../ui/button/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Door } from './door.tsx'
import { useLinkToken } from './link-token.ts'

export default function Reset() {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const form = useForm({ password: '' }, async ({ password }) => {
    await post('/auth/password/reset', { body: { token, password } }, { isAnonymous: true })
    setDone(true)
  })
  return (
    <Door title="Set a new password">
      {isDone ? (
        <>
          <p role="status">The new password is set. All earlier sessions have ended.</p>
          <ButtonLink to="/sign-in" kind="main">
            Sign in
          </ButtonLink>
        </>
      ) : (
        <Form form={form} verb="Set password" place="door">
          {/* Browsers ask for it in each form with a password; the link does not say whose it is. */}
          <input type="text" autoComplete="username" hidden readOnly />
          <Field
            label="New password"
            hint="At least 8 characters."
            type="password"
            autoComplete="new-password"
            {...form.field('password')}
            autoFocus
          />
        </Form>
      )}
    </Door>
  )
}
