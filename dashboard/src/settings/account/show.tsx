import { changed } from '../../api/client.ts'
import { patch, post } from '../../api/request.ts'
import { enterAs, useMe } from '../../session/me.ts'
import { say } from '../../ui/dialog/toast.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { Go } from '../../ui/go/go.tsx'
import { AddressSection } from './address.tsx'
import { DeleteAccount } from './delete.tsx'

export default function Account() {
  const { user } = useMe()
  return (
    <Page title="Account" above={<Go to="/settings">Settings</Go>} isNarrow>
      <NameForm key={user.id} />
      <AddressSection />
      <PasswordSection />
      <DeleteAccount />
    </Page>
  )
}

function NameForm() {
  const { user } = useMe()
  const form = useForm({ name: user.name ?? '' }, async ({ name }) => {
    enterAs(await patch('/auth/me', { body: { name } }))
    changed('team')
    say('Your name is saved')
  })
  return (
    <Section title="You" className="settings-part">
      <Form form={form} verb="Save name" place="page">
        <Field
          label="Name"
          hint="Members of your teams and the audit log show it."
          autoComplete="name"
          maxLength={100}
          {...form.field('name')}
        />
      </Form>
    </Section>
  )
}

const empty = { currentPassword: '', password: '' }

function PasswordSection() {
  const { user } = useMe()
  const form = useForm(empty, async (values) => {
    await post('/auth/password', { body: values })
    changed('auth/sessions')
    form.set(empty)
    say('Your password is changed. Your other sessions have ended.')
  })
  return (
    <Section title="Password" className="settings-part">
      <p className="muted">
        Every other session of yours ends when the password changes. An account without a password gets one by{' '}
        <Go to="/forgot">a mailed link</Go>.
      </p>
      <Form form={form} verb="Change password" kind="plain" place="page">
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          maxLength={128}
          {...form.field('currentPassword')}
        />
        <Field
          label="New password"
          type="password"
          hint="8 to 128 characters."
          autoComplete="new-password"
          maxLength={128}
          {...form.field('password')}
        />
      </Form>
    </Section>
  )
}
