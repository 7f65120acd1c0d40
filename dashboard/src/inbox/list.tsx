import { useQuery } from '@tanstack/react-query'
import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { remove } from '../api/request.ts'
import { useMay } from '../session/me.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Tabs } from '../ui/frame/tabs.tsx'
import { TestDataLink, TestDataNotice } from '../ui/frame/test-data.tsx'
import { type Address, useAddress, useMode } from '../ui/go/address.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { EmailInbox } from './email-inbox.tsx'
import { type Channel, inboxFilters, threadsOf } from './message.ts'

const { Part: Conversations } = lazyPart(() => import('./conversations.tsx'))

export const prefetch: Prefetch = (client, { search }) => {
  if (search.channel === undefined) prefetchList(client, '/v1/inbox', inboxFilters(search))
}

export default function Inbox() {
  const [address] = useAddress()
  const mayEmpty = useMay('DELETE /v1/inbox')
  const isReading = address.message !== undefined || address.number !== undefined
  return (
    <Page
      title="Inbox"
      isFilling
      actions={
        <>
          <TestDataLink noun="inbox" paths={['/v1/inbox', '/v1/inbox/threads']} />
          {mayEmpty && <EmptyWhereFilled address={address} />}
        </>
      }
    >
      <TestDataNotice />
      <div className={`inbox ${isReading ? 'inbox-reading' : ''}`}>
        <Tabs
          name="Channel"
          parameter="channel"
          drops={['message', 'number', 'search', 'tab']}
          tabs={[
            { id: 'email', name: 'Email', panel: () => <EmailInbox /> },
            { id: 'sms', name: 'SMS', panel: () => <Conversations channel="sms" /> },
            { id: 'whatsapp', name: 'WhatsApp', panel: () => <Conversations channel="whatsapp" /> },
          ]}
        />
      </div>
    </Page>
  )
}

/** *Empty inbox*, unless the shown channel is known to hold nothing. */
function EmptyWhereFilled({ address }: { address: Address }) {
  const { channel } = address
  return channel === 'sms' || channel === 'whatsapp' ? <EmptyTalks channel={channel} /> : <EmptyEmails {...address} />
}

function EmptyTalks({ channel }: { channel: Channel }) {
  const { data } = useQuery(threadsOf(channel, useMode()))
  return data?.length !== 0 && <EmptyInbox />
}

function EmptyEmails(address: Address) {
  const { rows } = useList('/v1/inbox', inboxFilters(address))
  return (rows?.length !== 0 || address.search !== undefined) && <EmptyInbox />
}

function EmptyInbox() {
  const [, change] = useAddress()
  const mode = useMode()
  return (
    <ConfirmButton
      name="Empty inbox"
      verb="Empty"
      onConfirm={async () => {
        await remove('/v1/inbox', { mode })
        change({ message: undefined, number: undefined })
        changed('inbox')
        say('The inbox is empty')
      }}
    >
      <p>
        All captured {mode === 'test' ? 'test messages' : 'messages'} of the team are deleted, in every channel. The
        list of emails stays as it is.
      </p>
    </ConfirmButton>
  )
}
