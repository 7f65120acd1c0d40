import type { Prefetch } from '../../api/list.ts'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { EditSender } from './edit.tsx'
import { SenderPage } from './page.tsx'
import { senderOf, typeOf } from './sender.ts'

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
