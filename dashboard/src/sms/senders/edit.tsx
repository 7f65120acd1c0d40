import { senderNameMax } from '../../../../src/phone/bounds.ts'
import { changed } from '../../api/client.ts'
import { patch } from '../../api/request.ts'
import { say } from '../../ui/dialog/toast.tsx'
import { Field, Select } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { messageTypes, type Sender } from './sender.ts'

export function EditSender({ sender, onDone }: { sender: Sender; onDone: () => void }) {
  const { name, defaultMessageType } = sender
  const form = useForm({ name, defaultMessageType }, async (values) => {
    await patch('/v1/sms/senders/:id', { id: sender.id, body: values })
    changed('sms/senders')
    say('Saved')
    onDone()
  })
  return (
    <Form form={form} verb="Save" onBack={onDone}>
      <Field label="Name" maxLength={senderNameMax} {...form.field('name')} autoFocus />
      <Select
        label="Default message type"
        hint="A transactional sender sends no promotional messages; a promotional one sends both."
        options={messageTypes}
        {...form.field('defaultMessageType')}
      />
      <p className="muted">Sender ID, type and country cannot change. Add another sender for others.</p>
    </Form>
  )
}
