import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { useMe } from '../../session/me.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { splitAddresses } from '../../ui/form/addresses.ts'
import { Field, type Option } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { countOf } from '../../ui/text/words.ts'
import type { Broadcast } from '../broadcast.ts'

type Props = { broadcast: Broadcast; contact: Option | undefined; onClose: () => void }

/** Sends the draft to a few addresses, with the values of the contact it is previewed as. */
export function TestDialog({ broadcast: { id }, contact, onClose }: Props) {
  const { user } = useMe()
  const form = useForm({ to: user.email }, async ({ to }) => {
    const addresses = splitAddresses(to)
    await post('/v1/broadcasts/:id/test', { id, body: { to: addresses, ...(contact && { contactId: contact.value }) } })
    changed('emails')
    say(`${countOf(addresses.length, 'test')} sent`)
    onClose()
  })
  return (
    <Dialog title="Send a test" onClose={onClose}>
      <Form form={form} verb="Send test" onBack={onClose}>
        <Field label="To" hint="At most 5 addresses, with commas between them." {...form.field('to')} autoFocus />
        <p className="muted">
          {contact ? `Values are those of ${contact.label}.` : 'Values of contacts are empty.'} A test is not tracked
          and is in no figure.
        </p>
      </Form>
    </Dialog>
  )
}
