import { senderNameMax } from '../../../../src/phone/bounds.ts'
import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { Field, Select } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { useGoOn } from '../../ui/go/use-go.ts'
import { messageTypes, type Sender, senderTypes } from './sender.ts'

/** The sender that recipients see, by the type of a sender. */
const idHints: Record<Sender['senderType'], string> = {
  alphanumeric_id: 'What recipients see: 1 to 11 letters, digits and spaces.',
  long_code: 'With the country code, such as +61491570156.',
  toll_free: 'With the country code, such as +18005550199.',
  short_code: '4 to 6 digits.',
}

const initial: Pick<Sender, 'name' | 'senderType' | 'senderId' | 'country' | 'defaultMessageType'> = {
  name: '',
  senderType: 'alphanumeric_id',
  senderId: '',
  country: 'AU',
  defaultMessageType: 'transactional',
}

export function AddSender() {
  return (
    <DialogButton name="Add sender" kind="main">
      {() => <AddForm />}
    </DialogButton>
  )
}

function AddForm() {
  const go = useGoOn()
  const form = useForm(initial, async (values) => {
    const { id } = await post('/v1/sms/senders', { body: { ...values, country: values.country.trim().toUpperCase() } })
    changed('sms/senders')
    await go(`/sms/senders/${id}`)
  })
  return (
    <Form form={form} verb="Add">
      <Field label="Name" hint="For you, to find it." maxLength={senderNameMax} {...form.field('name')} autoFocus />
      <Select label="Type" options={senderTypes} {...form.field('senderType')} />
      <Field label="Sender ID" maxLength={20} hint={idHints[form.values.senderType]} {...form.field('senderId')} />
      <Field label="Country" hint="Two letters, such as AU or US." maxLength={2} {...form.field('country')} />
      <Select
        label="Default message type"
        hint="A transactional sender sends no promotional messages; a promotional one sends both."
        options={messageTypes}
        {...form.field('defaultMessageType')}
      />
    </Form>
  )
}
