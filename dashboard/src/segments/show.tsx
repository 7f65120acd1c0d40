import { type Prefetch, prefetchList } from '../api/list.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { GroupPage, type Kind } from '../audience/group-page.tsx'
import { PendingPage } from '../ui/frame/pending-page.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { countOf, number } from '../ui/text/words.ts'
import type { Segment } from './segment.ts'

const kind: Kind = {
  title: 'Segments',
  noun: 'segments',
  filter: 'segmentId',
  leave: 'Remove',
  leaveMeans: 'The contact itself stays.',
  deleteMeans: 'Its contacts stay. A segment cannot be deleted while a broadcast to it is scheduled or being sent.',
  empty: <p>Add contacts here, or name this segment when you import a file.</p>,
}

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(oneOf('/v1/segments/:id', { id: params.id! }))
  prefetchList(client, '/v1/contacts', { search: undefined, segmentId: params.id! })
}

export default function ShowSegment() {
  const query = useOne('/v1/segments/:id', { id: usePathPart('id') })
  if (query.data) return <GroupPage kind={kind} group={query.data} total={totalOf(query.data)} />
  return <PendingPage title="Segment" query={query} />
}

function totalOf({ contactCount, unsubscribedCount }: Segment): string {
  return `${countOf(contactCount, 'contact')}, ${number(unsubscribedCount)} unsubscribed`
}
