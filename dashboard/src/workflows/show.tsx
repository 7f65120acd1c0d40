import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { oneOf } from '../api/use-one.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { prefetchCanvas } from './canvas/lazy-canvas.tsx'
import { Editor } from './editor/editor.tsx'
import { stepTypesQuery, useStepTypes } from './workflow.ts'

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(stepTypesQuery)
  prefetchCanvas(client.fetchQuery(oneOf('/v1/workflows/:id', { id: params.id! })))
}

export default function ShowWorkflow() {
  const id = usePathPart('id')
  // Where no hints arrive, such as behind a proxy that holds them back, a change by somebody else is still noticed.
  const workflow = useQuery({
    ...oneOf('/v1/workflows/:id', { id }),
    refetchOnWindowFocus: true,
    refetchInterval: 20_000,
  })
  const types = useStepTypes()
  if (workflow.data && types.data) {
    const shown = { workflow: workflow.data, types: types.data }
    return <WithKept page={`workflows/${id}`}>{(kept) => <Editor {...shown} kept={kept} />}</WithKept>
  }
  return (
    <Page title={titleWithout(workflow.error, 'Workflow')} above={<Go to="/workflows">Workflows</Go>}>
      <Fetch query={workflow}>{() => <Fetch query={types}>{() => null}</Fetch>}</Fetch>
    </Page>
  )
}
