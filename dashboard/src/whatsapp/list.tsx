import { type Prefetch, prefetchList } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { Page } from '../ui/frame/page.tsx'
import { Tabs } from '../ui/frame/tabs.tsx'
import { Conversations } from './conversations/table.tsx'
import { Messages } from './messages/table.tsx'
import { SendTemplate } from './send-template.tsx'

export const prefetch: Prefetch = (client, { search }) =>
  prefetchList(client, search.tab === 'messages' ? '/v1/whatsapp/messages' : '/v1/whatsapp/conversations')

export default function Whatsapp() {
  const maySend = useMay('POST /v1/whatsapp/messages')
  return (
    <Page title="WhatsApp" actions={maySend && <SendTemplate kind="main" />}>
      <Tabs
        name="Show"
        tabs={[
          { id: 'conversations', name: 'Conversations', panel: () => <Conversations /> },
          { id: 'messages', name: 'Messages', panel: () => <Messages /> },
        ]}
      />
    </Page>
  )
}
