import { useState } from 'react'
import { useOptions } from '../api/all.ts'
import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { SecretDialog } from '../ui/dialog/secret-dialog.tsx'
import { type HeldAnswer, useHeldAnswer } from '../ui/dialog/use-held-history.ts'
import { Field, Group, Select, Tick } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { Go } from '../ui/go/go.tsx'
import { type CreatedApiKey, endOfDay } from './key.ts'
import { ExpiryField, type KeyValues, PermissionField } from './key-fields.tsx'

/** The button *Create API key*, its dialog, and then the new key, which is shown once. */
export function CreateApiKey() {
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const held = useHeldAnswer()
  return (
    <>
      <DialogButton name="Create API key" kind="main">
        {(close) => (
          <CreateForm
            held={held}
            onCreated={(key) => {
              close()
              setCreated(key)
            }}
          />
        )}
      </DialogButton>
      {created && (
        <SecretDialog
          title="Save your API key"
          label="API key"
          value={created.key}
          copyName="Copy key"
          onDone={() => setCreated(null)}
        >
          <p>
            Posthorn keeps only a hash of this key and cannot show it again. Store it where your program reads its
            secrets.
          </p>
          {created.mode === 'test' && (
            <p>
              What it sends is shown as test data:{' '}
              <Go to="/inbox" search={{ mode: 'test' }} target="_blank">
                Show test messages (in a new tab)
              </Go>
            </p>
          )}
        </SecretDialog>
      )}
    </>
  )
}

const empty: KeyValues & { domainId: string; mode: 'live' | 'test' } = {
  ...{ name: '', permission: 'sending_access', domainId: '', mode: 'live', expiresOn: '' },
}

type FormProps = { held: HeldAnswer; onCreated: (key: CreatedApiKey) => void }

function CreateForm({ held, onCreated }: FormProps) {
  const domains = (useOptions('/v1/domains') ?? []).sort((one, other) => one.label.localeCompare(other.label))
  const form = useForm(
    empty,
    async ({ name, permission, domainId, mode, expiresOn }) => {
      const body = { name, permission, mode, domainId: domainId || null, expiresAt: endOfDay(expiresOn) }
      const key = await held(post('/v1/api-keys', { body }))
      changed('api-keys')
      onCreated(key)
    },
    { expiresOn: 'expiresAt' },
  )
  const mode = (value: 'live' | 'test') => ({
    type: 'radio',
    name: 'mode',
    checked: form.values.mode === value,
    onChange: () => form.set({ mode: value }),
  })
  return (
    <Form form={form} verb="Create">
      <Field
        label="Name"
        hint="Names the program that uses the key."
        maxLength={200}
        {...form.field('name')}
        autoFocus
      />
      <PermissionField form={form} />
      <Group label="Mode">
        <Tick label="Live" hint="Messages leave and count against your limits." {...mode('live')} />
        <Tick
          label="Test"
          hint="Messages are captured in the inbox. Nothing leaves, and nothing counts."
          {...mode('test')}
        />
      </Group>
      <div className="form-row">
        <Select
          label="Domain"
          options={[{ value: '', label: 'All domains' }, ...domains]}
          hint="The only domain it may send from."
          {...form.field('domainId')}
        />
        <ExpiryField form={form} />
      </div>
    </Form>
  )
}
