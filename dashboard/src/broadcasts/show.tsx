import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { usePathPart } from '../ui/address.ts'
import { Fetch } from '../ui/states.tsx'
import { type Broadcast, broadcastOf, isUnderWay, statsOf, useMayWrite } from './broadcast.ts'
import { draftOf } from './draft.ts'
import { Editor } from './editor.tsx'
import { Sent } from './sent.tsx'

/** Between two looks at a broadcast that is on its way. */
const lookEveryMs = 1000

export function prefetch(client: QueryClient, { params }: { params: Record<string, string> }) {
  void client.prefetchQuery(broadcastOf(params.id!))
  void client.prefetchQuery(statsOf(params.id!))
}

export default function ShowBroadcast() {
  const id = usePathPart('id')
  const query = useQuery({
    ...broadcastOf(id),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookEveryMs : false),
  })
  return <Fetch query={query}>{(broadcast) => <Shown key={id} broadcast={broadcast} />}</Fetch>
}

/** The editor of a draft, else what became of it. An editor with unsaved words stays, also if another person sends the draft. */
function Shown({ broadcast }: { broadcast: Broadcast }) {
  const hasUnsaved = useRef(false)
  const mayWrite = useMayWrite()
  const isWritten = mayWrite && (broadcast.status === 'draft' || hasUnsaved.current)
  if (!isWritten) return <Sent broadcast={broadcast} />
  return (
    <Editor
      stored={broadcast}
      start={draftOf(broadcast)}
      onChanged={(isChanged) => {
        hasUnsaved.current = isChanged
      }}
    />
  )
}
