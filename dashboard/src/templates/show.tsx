import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { oneOf } from '../api/use-one.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { PendingPage } from '../ui/frame/pending-page.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Editor } from './editor.tsx'

export const prefetch: Prefetch = (client, { params }) =>
  client.prefetchQuery(oneOf('/v1/templates/:id', { id: params.id! }))

export default function ShowTemplate() {
  // Unsaved text stays on screen, also if another person deletes the template.
  const query = useQuery(oneOf('/v1/templates/:id', { id: usePathPart('id') }))
  const { data } = query
  if (data) {
    return <WithKept page={`templates/${data.id}`}>{(kept) => <Editor stored={data} kept={kept} />}</WithKept>
  }
  return <PendingPage title="Template" query={query} />
}
