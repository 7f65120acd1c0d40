import { changed } from '../../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { post } from '../../api/request.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { useGoOn } from '../../ui/go/use-go.ts'
import type { Column } from '../../ui/table/columns.ts'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Time } from '../../ui/text/time.tsx'
import { SenderForm } from './form.tsx'
import type { WhatsappSender } from './sender.ts'

const columns: Column<WhatsappSender>[] = [
  { name: 'Name', width: '2fr', narrow: 'first', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    name: 'Phone number',
    width: '152px',
    narrow: 'second',
    cell: ({ phoneNumber }) => <span className="mono">{phoneNumber}</span>,
  },
  { name: 'Status', width: '112px', narrow: 'first-end', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Display name',
    width: '2fr',
    isExtra: true,
    cell: ({ displayName }) => displayName ?? <span className="muted">–</span>,
  },
  { name: 'Added', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/whatsapp/senders')

export default function WhatsappSenders() {
  const list = useList('/v1/whatsapp/senders')
  const mayChange = useMay('POST /v1/whatsapp/senders')
  return (
    <ListPage
      title="WhatsApp senders"
      actions={mayChange && <AddSender />}
      notice={!mayChange && `${whoMay('POST /v1/whatsapp/senders')} add and verify senders.`}
      list={list}
      columns={columns}
      to={({ id }) => `/whatsapp/senders/${id}`}
      none="No WhatsApp senders yet"
    >
      <p>A sender is a phone number of your WhatsApp Business Account. It is verified once, then it can send.</p>
    </ListPage>
  )
}

function AddSender() {
  const go = useGoOn()
  return (
    <DialogButton name="Add sender" kind="main">
      {() => (
        <SenderForm
          verb="Add"
          onSubmit={async (values) => {
            const { id } = await post('/v1/whatsapp/senders', { body: { name: '', phoneNumber: '', ...values } })
            changed('whatsapp/senders')
            await go(`/whatsapp/senders/${id}`)
          }}
        />
      )}
    </DialogButton>
  )
}
