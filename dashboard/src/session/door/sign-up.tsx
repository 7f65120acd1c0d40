import { filled } from '../../api/objects.ts'
import { post } from '../../api/request.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { useOpenAddress } from '../../ui/go/use-go.ts'
import { openSession } from '../me.ts'
import { useSignInOptions } from '../options.ts'
import { Door } from './door.tsx'
import { safeNext, withNext } from './safe-next.ts'
import { Ways } from './ways.tsx'

export default function SignUp() {
  const [address] = useAddress()
  const openAddress = useOpenAddress()
  const options = useSignInOptions()
  const next = safeNext(address.next)
  const form = useForm({ name: '', teamName: '', email: '', password: '' }, async (values) => {
    await openSession(await post('/auth/signup', { body: filled(values) }, { isAnonymous: true }))
    await openAddress(next, { replace: true })
  })
  return (
    <Door title="Create an account">
      {options?.signup === false ? (
        <p>New accounts are closed here. Ask a member of your team for an invitation.</p>
      ) : (
        <Form form={form} verb="Create account" place="door">
          <Field label="Name" autoComplete="name" {...form.field('name')} autoFocus />
          <Field label="Team name" autoComplete="organization" {...form.field('teamName')} />
          <Field label="Email" type="email" autoComplete="username" {...form.field('email')} />
          <Field
            label="Password"
            hint="At least 8 characters."
            type="password"
            autoComplete="new-password"
            {...form.field('password')}
          />
        </Form>
      )}
      {options?.signup && <Ways providers={options.providers} next={next} />}
      <p className="door-links">
        <Go to="/sign-in" search={withNext(address.next)}>
          Sign in to an account
        </Go>
      </p>
    </Door>
  )
}
