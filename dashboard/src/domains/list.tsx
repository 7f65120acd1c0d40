import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { post } from '../api/request.ts'
import { useMay, whoMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { type DomainItem, statusWord } from './domain.ts'

const columns: Column<DomainItem>[] = [
  { name: 'Domain', width: '3fr', narrow: 'first', cell: ({ name }) => <span title={name}>{name}</span> },
  { name: 'Status', width: '160px', narrow: 'first-end', cell: DomainStatus },
  { name: 'Region', width: '1fr', narrow: 'second', cell: ({ region }) => <span className="muted">{region}</span> },
  { name: 'Added', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/domains')

export default function Domains() {
  const list = useList('/v1/domains')
  const mayChange = useMay('POST /v1/domains')
  return (
    <ListPage
      title="Domains"
      actions={mayChange && <Add />}
      notice={!mayChange && `${whoMay('POST /v1/domains')} add and change domains.`}
      list={list}
      columns={columns}
      to={({ id }) => `/domains/${id}`}
      none="No domains yet"
    >
      <p>Email is sent from addresses of a domain whose DNS records show that it is yours.</p>
    </ListPage>
  )
}

export function DomainStatus({ status }: { status: string }) {
  const word = statusWord(status)
  return <Status of={status} {...(word !== undefined && { label: word })} />
}

function Add() {
  return (
    <DialogButton name="Add domain" kind="main">
      {() => <AddForm />}
    </DialogButton>
  )
}

function AddForm() {
  const go = useGoOn()
  const form = useForm({ name: '', region: '' }, async ({ name, region }) => {
    const domain = await post('/v1/domains', {
      body: {
        name: name.trim(),
        ...(region.trim() && { region: region.trim() }),
      },
    })
    changed('domains')
    await go(`/domains/${domain.id}`)
  })
  return (
    <Form form={form} verb="Add">
      <Field
        label="Domain name"
        hint="The part after the @ of your senders’ addresses."
        placeholder="example.com"
        maxLength={1000}
        spellCheck={false}
        autoCapitalize="none"
        {...form.field('name')}
        autoFocus
      />
      <Field
        label="Region"
        hint="The region of Amazon SES that sends for it. Other providers need none."
        placeholder="us-east-1"
        isOptional
        maxLength={64}
        {...form.field('region')}
      />
    </Form>
  )
}
