import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { useMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { CreateTemplate } from './create.tsx'
import type { Template } from './template.ts'

const columns: Column<Template>[] = [
  { name: 'Name', width: '2fr', narrow: 'first', cell: ({ name }) => <span title={name}>{name}</span> },
  { name: 'Status', width: '112px', narrow: 'first-end', cell: ({ status }) => <Status of={status} /> },
  { name: 'Body', width: '3fr', narrow: 'second', cell: ({ body }) => <span className="muted">{body}</span> },
  { name: 'Language', width: '80px', isExtra: true, cell: ({ language }) => language },
  { name: 'Category', width: '112px', isExtra: true, cell: ({ category }) => sentence(category) },
  { name: 'Created', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/whatsapp/templates')

export default function Templates() {
  const list = useList('/v1/whatsapp/templates')
  const mayChange = useMay('POST /v1/whatsapp/templates')
  return (
    <Page title="WhatsApp templates" actions={mayChange && <CreateTemplate />}>
      <Table
        name="WhatsApp templates"
        list={list}
        columns={columns}
        to={({ id }) => `/whatsapp/templates/${id}`}
        empty={
          <Empty title="No WhatsApp templates yet">
            <p>A template begins a conversation. WhatsApp reviews each one before it can be sent.</p>
          </Empty>
        }
      />
    </Page>
  )
}
