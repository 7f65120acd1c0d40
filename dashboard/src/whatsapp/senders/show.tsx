import { changed } from '../../api/client.ts'
import type { Prefetch } from '../../api/list.ts'
import { patch } from '../../api/request.ts'
import { SenderPage } from '../../sms/senders/page.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { SenderForm } from './form.tsx'
import { type WhatsappSender, whatsappSenderOf } from './sender.ts'

export const prefetch: Prefetch = (client, { params }) => client.prefetchQuery(whatsappSenderOf(params.id!))

export default function ShowWhatsappSender() {
  return (
    <SenderPage
      channel="whatsapp"
      all="WhatsApp senders"
      onDelete="Only a sender without messages can be deleted."
      facts={(sender) => <About sender={sender} />}
      edit={(sender, close) => (
        <SenderForm
          verb="Save"
          sender={sender}
          onSubmit={async (changes) => {
            if (Object.keys(changes).length > 0)
              await patch('/v1/whatsapp/senders/:id', { id: sender.id, body: changes })
            changed('whatsapp/senders')
            say('Saved')
            close()
          }}
        />
      )}
    />
  )
}

function About({ sender }: { sender: WhatsappSender }) {
  const missing = <span className="muted">Not set: verifying needs it</span>
  return (
    <Facts>
      <Fact name="Phone number">{sender.phoneNumber}</Fact>
      {sender.displayName && <Fact name="Display name">{sender.displayName}</Fact>}
      <Fact name="Account ID">{sender.wabaId ? <code>{sender.wabaId}</code> : missing}</Fact>
      <Fact name="Phone number ID">{sender.phoneNumberId ? <code>{sender.phoneNumberId}</code> : missing}</Fact>
      <Fact name="Added">
        <Time at={sender.createdAt} isExact />
      </Fact>
      <IdFact id={sender.id} />
    </Facts>
  )
}
