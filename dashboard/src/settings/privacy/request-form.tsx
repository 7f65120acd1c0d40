import { useState } from 'react'
import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm.tsx'
import { Field, Group, Tick } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'

const empty = { type: 'export', email: '', phoneNumber: '' }

/** Asks for an export, or for an erasure after a question. */
export function RequestForm({ onBegun }: { onBegun: (id: string) => void }) {
  const [isAsking, setAsking] = useState(false)
  const form = useForm(empty, async (values) => {
    if (values.type === 'erase' && (values.email || values.phoneNumber)) setAsking(true)
    else await begin()
  })
  const { type, email, phoneNumber } = form.values
  async function begin() {
    const body = { type, ...(email && { email }), ...(phoneNumber && { phoneNumber }) }
    const { id } = await post('/v1/privacy/requests', { body })
    changed('audit', 'privacy/requests')
    if (type === 'erase') changed('contacts', 'emails', 'suppressions')
    form.set(empty)
    onBegun(id)
  }
  return (
    <>
      <Form
        form={form}
        verb={type === 'erase' ? 'Erase person' : 'Export person'}
        kind={type === 'erase' ? 'danger' : 'main'}
        place="page"
      >
        <RequestFields form={form} />
      </Form>
      {isAsking && (
        <ConfirmDialog
          title="Erase person?"
          verb="Erase"
          onConfirm={() => begin().catch(form.setError)}
          onClose={() => setAsking(false)}
        >
          <p>
            Everything of <strong>{email || phoneNumber}</strong> is removed, and no message reaches the person again.
            This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function RequestFields({ form }: { form: ReturnType<typeof useForm<typeof empty>> }) {
  const choose = (value: string) => ({
    type: 'radio',
    name: 'type',
    checked: form.values.type === value,
    onChange: () => form.set({ type: value }),
  })
  return (
    <>
      <Group label="What to do" fault={form.field('type').fault}>
        <Tick label="Export" hint="A file with everything that is kept of the person." {...choose('export')} />
        <Tick
          label="Erase"
          hint="Removes the person from contacts, messages, events, executions, inbox and logs, and blocks the addresses."
          {...choose('erase')}
        />
      </Group>
      <p className="muted">Enter one of the two. The contact that has it is taken with both its addresses.</p>
      <div className="form-row">
        <Field label="Email" type="email" maxLength={320} {...form.field('email')} />
        <Field
          label="Phone number"
          type="tel"
          placeholder="+61491570156"
          maxLength={40}
          {...form.field('phoneNumber')}
        />
      </div>
    </>
  )
}
