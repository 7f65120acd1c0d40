import { patch } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { FormFault, useForm } from '../../ui/form.tsx'
import { say } from '../../ui/toast.tsx'
import { messageTypes, nameMax, type Sender, sendersPath } from './sender.ts'

export function EditSender({ sender, onDone }: { sender: Sender; onDone: () => void }) {
  const { name, defaultMessageType } = sender
  const form = useForm({ name, defaultMessageType: defaultMessageType as string }, async (values) => {
    await patch(`${sendersPath}/${sender.id}`, values)
    changed('sms/senders')
    say('Saved')
    onDone()
  })
  return (
    <form className="form" {...form.props}>
      <FormFault form={form} />
      <Field label="Name" maxLength={nameMax} {...form.field('name')} autoFocus />
      <Select
        label="Default message type"
        hint="A transactional sender sends no promotional messages; a promotional one sends both."
        options={messageTypes}
        {...form.field('defaultMessageType')}
      />
      <p className="muted">Sender ID, type and country cannot change. Add another sender for others.</p>
      <div className="dialog-actions">
        <Button onClick={onDone}>Back</Button>
        <Button type="submit" kind="main" isBusy={form.isBusy}>
          Save
        </Button>
      </div>
    </form>
  )
}
