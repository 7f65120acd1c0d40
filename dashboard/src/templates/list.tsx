import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ButtonLink } from '../ui/button/button.tsx'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import type { TemplateRow } from './template.ts'

const columns: Column<TemplateRow>[] = [
  { name: 'Name', width: '3fr', narrow: 'first', cell: ({ name }) => name },
  { name: 'Status', width: '132px', narrow: 'second', cell: ({ status }) => <Status of={status} /> },
  { name: 'Changed', width: '128px', narrow: 'second-end', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/templates')

export default function Templates() {
  const list = useList('/v1/templates')
  const mayEdit = useMay('POST /v1/templates')
  const create = (
    <ButtonLink to="/templates/new" kind="main">
      Create template
    </ButtonLink>
  )
  return (
    <ListPage
      title="Templates"
      actions={mayEdit && create}
      list={list}
      columns={columns}
      to={({ id }) => `/templates/${id}`}
      none="No templates yet"
    >
      <p>A template is an email with variables such as {'{{name}}'}. Programs send it by its id, and fill them in.</p>
    </ListPage>
  )
}
