import { senderNameMax } from '../../../../src/phone/bounds.ts'
import { useFollowedForm } from '../../typing/use-followed-form.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import type { WhatsappSender } from './sender.ts'

type SenderValues = {
  name: string
  phoneNumber: string
  displayName: string | null
  wabaId: string | null
  phoneNumberId: string | null
}

type Props = {
  verb: 'Add' | 'Save'
  /** The sender that is edited. Its number cannot change. */
  sender?: WhatsappSender
  /** Receives the fields that the person filled or changed. */
  onSubmit: (changes: Partial<SenderValues>) => Promise<unknown>
}

/** The form that adds or edits a sender. Empty fields are sent as null. */
export function SenderForm({ verb, sender, onSubmit }: Props) {
  const initial = {
    name: sender?.name ?? '',
    phoneNumber: '',
    displayName: sender?.displayName ?? '',
    wabaId: sender?.wabaId ?? '',
    phoneNumberId: sender?.phoneNumberId ?? '',
  }
  const form = useFollowedForm(initial, ({ displayName, wabaId, phoneNumberId, phoneNumber, ...name }) =>
    onSubmit({
      ...name,
      ...(phoneNumber !== undefined && { phoneNumber: phoneNumber.replace(/[\s()-]/g, '') }),
      ...(displayName !== undefined && { displayName: displayName.trim() || null }),
      ...(wabaId !== undefined && { wabaId: wabaId.trim() || null }),
      ...(phoneNumberId !== undefined && { phoneNumberId: phoneNumberId.trim() || null }),
    }),
  )
  return (
    <Form form={form} verb={verb}>
      <Field label="Name" hint="For you, to find it." maxLength={senderNameMax} {...form.field('name')} autoFocus />
      {!sender && (
        <Field
          label="Phone number"
          type="tel"
          hint="With the country code, such as +447700900100."
          {...form.field('phoneNumber')}
        />
      )}
      <Field label="Display name" isOptional hint="What readers see." maxLength={200} {...form.field('displayName')} />
      <Field label="WhatsApp Business Account ID" isOptional maxLength={100} {...form.field('wabaId')} />
      <Field
        label="Phone number ID"
        isOptional
        hint="Both IDs are in WhatsApp Manager. Verifying needs them."
        maxLength={100}
        {...form.field('phoneNumberId')}
      />
    </Form>
  )
}
