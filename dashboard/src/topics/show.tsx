import { type Prefetch, prefetchList } from '../api/list.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { GroupPage, type Kind } from '../audience/group-page.tsx'
import { PendingPage } from '../ui/frame/pending-page.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { countOf } from '../ui/text/words.ts'

const kind: Kind = {
  title: 'Topics',
  noun: 'topics',
  filter: 'topicId',
  leave: 'Opt out',
  leaveMeans: 'Broadcasts about this topic no longer go to this contact. That it opted out is kept.',
  deleteMeans:
    'Who asked for it is forgotten. A topic cannot be deleted while a broadcast about it is scheduled or being sent.',
  addHint: 'Add only people who asked for this topic.',
  empty: <p>Contacts that opt in to this topic are listed here.</p>,
}

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(oneOf('/v1/topics/:id', { id: params.id! }))
  prefetchList(client, '/v1/contacts', { search: undefined, topicId: params.id! })
}

export default function ShowTopic() {
  const query = useOne('/v1/topics/:id', { id: usePathPart('id') })
  if (query.data)
    return <GroupPage kind={kind} group={query.data} total={countOf(query.data.subscriberCount, 'contact')} />
  return <PendingPage title="Topic" query={query} />
}
