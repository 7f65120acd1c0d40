import { useState } from 'react'
import { post } from '../../api/request.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { useSignInOptions } from '../options.ts'
import { Door } from './door.tsx'
import { withNext } from './safe-next.ts'

export default function Forgot() {
  const [isSent, setSent] = useState(false)
  const [address] = useAddress()
  const options = useSignInOptions()
  const form = useForm({ email: '' }, async ({ email }) => {
    await post('/auth/password/forgot', { body: { email } }, { isAnonymous: true })
    setSent(true)
  })
  return (
    <Door title="Forgot your password?">
      {options?.mail === false && (
        <p>This server sends no mail of its own. Ask its operator for a link to set a new password.</p>
      )}
      {isSent ? (
        <p role="status">
          If {form.values.email} has an account, a link to set a new password is on its way. It works for one hour.
        </p>
      ) : (
        <Form form={form} verb="Send link" place="door">
          <Field label="Email" type="email" autoComplete="username" {...form.field('email')} autoFocus />
        </Form>
      )}
      <p className="door-links">
        <Go to="/sign-in" search={withNext(address.next)}>
          Sign in
        </Go>
      </p>
    </Door>
  )
}
