import { senderNameMax } from '../../../../src/phone/bounds.ts'
import { changed } from '../../api/client.ts'
import type { Prefetch } from '../../api/list.ts'
import { patch } from '../../api/request.ts'
import { useFollowedForm } from '../../typing/use-followed-form.ts'
import { say } from '../../ui/dialog/toast.tsx'
import { Field, Select } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { SenderPage } from './page.tsx'
import { messageTypes, type Sender, senderOf, typeOf } from './sender.ts'

export const prefetch: Prefetch = (client, { params }) => client.prefetchQuery(senderOf(params.id!))

export default function ShowSmsSender() {
  return (
    <SenderPage
      channel="sms"
      all="SMS senders"
      onDelete="Only a sender that nothing was sent from can be deleted."
      facts={(sender) => (
        <Facts>
          <Fact name="Sender ID">
            <code>{sender.senderId}</code>
          </Fact>
          <Fact name="Type">{typeOf(sender)}</Fact>
          <Fact name="Country">{sender.country}</Fact>
          <Fact name="Messages">{sentence(sender.defaultMessageType)}</Fact>
          <Fact name="Added">
            <Time at={sender.createdAt} isExact />
          </Fact>
          {sender.providerRef && (
            <Fact name="Provider’s ID">
              <code>{sender.providerRef}</code>
            </Fact>
          )}
          <IdFact id={sender.id} />
        </Facts>
      )}
      edit={(sender, close) => <EditSender sender={sender} onDone={close} />}
    />
  )
}

function EditSender({ sender, onDone }: { sender: Sender; onDone: () => void }) {
  const { name, defaultMessageType } = sender
  const form = useFollowedForm({ name, defaultMessageType }, async (changes) => {
    if (Object.keys(changes).length > 0) await patch('/v1/sms/senders/:id', { id: sender.id, body: changes })
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
