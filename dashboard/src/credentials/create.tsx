import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field, Select, TextArea } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { type CredentialType, typeNames } from './credential.ts'

export function CreateCredential() {
  return (
    <DialogButton name="Create credential" kind="main">
      {(close) => <CreateForm onDone={close} />}
    </DialogButton>
  )
}

const types: CredentialType[] = ['bearer', 'basic', 'header']
/** The server's names of the fields. */
const names = { token: 'secret.token', username: 'secret.username', password: 'secret.password', value: 'secret.value' }

function CreateForm({ onDone }: { onDone: () => void }) {
  const empty = { name: '', type: types[0]!, token: '', username: '', password: '', value: '', allowedHosts: '' }
  const form = useForm(
    empty,
    async ({ name, type, token, username, password, value, allowedHosts }) => {
      const secrets = { bearer: { token }, basic: { username, password }, header: { value } }
      const hosts = allowedHosts.split(/[\s,]+/).filter((host) => host !== '')
      await post('/v1/credentials', {
        body: {
          name: name.trim(),
          type,
          secret: secrets[type],
          ...(hosts.length > 0 && { allowedHosts: hosts }),
        },
      })
      changed('credentials')
      say(`${name.trim()} is created`)
      onDone()
    },
    names,
  )
  const secret = { type: 'password', autoComplete: 'new-password', maxLength: 4096 }
  return (
    <Form form={form} verb="Create">
      <Field label="Name" maxLength={200} {...form.field('name')} autoFocus />
      <Select
        label="Type"
        options={types.map((value) => ({ value, label: typeNames[value] }))}
        {...form.field('type')}
      />
      {form.values.type === 'bearer' && (
        <Field label="Token" hint="Sent as Authorization: Bearer." {...secret} {...form.field('token')} />
      )}
      {form.values.type === 'basic' && (
        <div className="form-row">
          <Field label="Username" maxLength={4096} {...form.field('username')} />
          <Field label="Password" {...secret} {...form.field('password')} />
        </div>
      )}
      {form.values.type === 'header' && (
        <Field label="Value" hint="The step that sends it names the header." {...secret} {...form.field('value')} />
      )}
      <TextArea
        label="Allowed hosts"
        isOptional
        hint="The hosts that it may be sent to, one a line: api.example.com or *.example.com. Empty allows every host."
        {...form.field('allowedHosts')}
      />
      <p className="small muted">The secret is encrypted and never shown again.</p>
    </Form>
  )
}
