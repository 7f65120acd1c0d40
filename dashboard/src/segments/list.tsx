import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { post } from '../api/request.ts'
import { NameForm } from '../audience/name-form.tsx'
import { useMay } from '../session/me.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { countOf, number } from '../ui/text/words.ts'
import type { Segment } from './segment.ts'

const columns: Column<Segment>[] = [
  { name: 'Name', width: '3fr', narrow: 'first', cell: ({ name }) => name },
  { name: 'Contacts', width: '1fr', narrow: 'second', cell: ({ contactCount }) => countOf(contactCount, 'contact') },
  {
    name: 'Unsubscribed',
    width: '1fr',
    narrow: 'second-end',
    cell: ({ unsubscribedCount }) => unsubscribedCount > 0 && `${number(unsubscribedCount)} unsubscribed`,
  },
  { name: 'Created', width: '140px', narrow: 'first-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/segments')

export default function Segments() {
  const list = useList('/v1/segments')
  const mayEdit = useMay('POST /v1/segments')
  return (
    <ListPage
      title="Segments"
      actions={mayEdit && <Create />}
      list={list}
      columns={columns}
      to={({ id }) => `/segments/${id}`}
      none="No segments yet"
    >
      <p>A segment is a group of contacts that a broadcast goes to, such as customers.</p>
    </ListPage>
  )
}

function Create() {
  const go = useGoOn()
  return (
    <DialogButton name="Create segment" kind="main">
      {(close) => (
        <NameForm
          verb="Create"
          hint="You find the segment by it; recipients never see it."
          onSubmit={async (name) => {
            const { id } = await post('/v1/segments', { body: { name } })
            changed('segments')
            close()
            await go(`/segments/${id}`)
          }}
        />
      )}
    </DialogButton>
  )
}
