import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { type Answer, post } from '../api/request.ts'
import { NameForm } from '../audience/name-form.tsx'
import { useMay } from '../session/me.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { countOf } from '../ui/text/words.ts'

const columns: Column<Topic>[] = [
  { name: 'Name', width: '3fr', narrow: 'first', cell: ({ name }) => name },
  {
    name: 'Contacts',
    width: '1fr',
    narrow: 'second',
    cell: ({ subscriberCount }) => countOf(subscriberCount, 'contact'),
  },
  { name: 'Created', width: '140px', narrow: 'first-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/topics')

export default function Topics() {
  const list = useList('/v1/topics')
  const mayEdit = useMay('POST /v1/topics')
  return (
    <ListPage
      title="Topics"
      actions={mayEdit && <Create />}
      list={list}
      columns={columns}
      to={({ id }) => `/topics/${id}`}
      none="No topics yet"
    >
      <p>
        A topic is what people may want to hear about, such as product news. A broadcast about it goes only to those who
        asked for it.
      </p>
    </ListPage>
  )
}

function Create() {
  const go = useGoOn()
  return (
    <DialogButton name="Create topic" kind="main">
      {(close) => (
        <NameForm
          verb="Create"
          hint="What it is about, such as Product news."
          onSubmit={async (name) => {
            const { id } = await post('/v1/topics', { body: { name } })
            changed('topics')
            close()
            await go(`/topics/${id}`)
          }}
        />
      )}
    </DialogButton>
  )
}

type Topic = Answer<'/v1/topics/:id'>
