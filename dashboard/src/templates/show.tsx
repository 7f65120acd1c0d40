import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { oneOf } from '../api/use-one.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
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
  return (
    <Page title={titleWithout(query.error, 'Template')}>
      <Fetch query={query}>{() => null}</Fetch>
    </Page>
  )
}
