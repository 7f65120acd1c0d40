import { changed } from '../../api/client.ts'
import { patch } from '../../api/request.ts'
import { enterAs, useMe } from '../../session/me.ts'
import { say } from '../../ui/dialog/toast.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { Go } from '../../ui/go/go.tsx'
import { AddressSection } from './address.tsx'
import { DeleteAccount } from './delete.tsx'
import { PasswordSection } from './password.tsx'

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
