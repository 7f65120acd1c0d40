import { changed } from '../../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { post } from '../../api/request.ts'
import { useMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { useKeptForm } from '../../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../../typing/with-kept.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useGoOn } from '../../ui/go/use-go.ts'
import type { Column } from '../../ui/table/columns.ts'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { TemplateFields } from './fields.tsx'
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
    <ListPage
      title="WhatsApp templates"
      actions={mayChange && <CreateTemplate />}
      list={list}
      columns={columns}
      to={({ id }) => `/whatsapp/templates/${id}`}
      none="No WhatsApp templates yet"
    >
      <p>A template begins a conversation. WhatsApp reviews each one before it can be sent.</p>
    </ListPage>
  )
}

function CreateTemplate() {
  return (
    <DialogButton name="Create template" kind="main">
      {() => <WithKept page="whatsapp/templates/new">{(kept) => <CreateForm kept={kept} />}</WithKept>}
    </DialogButton>
  )
}

const start = { name: '', category: 'utility', language: 'en', body: '' }

function CreateForm({ kept }: { kept: Kept }) {
  const go = useGoOn()
  const form = useKeptForm(kept, start, async (values) => {
    const { id } = await post('/v1/whatsapp/templates', { body: values })
    changed('whatsapp/templates')
    await go(`/whatsapp/templates/${id}`)
  })
  return (
    <Form form={form} verb="Create">
      <Field
        label="Name"
        hint="Lowercase letters, digits and underscores, such as order_shipped."
        maxLength={512}
        {...form.field('name')}
        autoFocus
      />
      <TemplateFields field={form.field} />
    </Form>
  )
}
