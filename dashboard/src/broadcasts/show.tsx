import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Prefetch } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { PendingPage } from '../ui/frame/pending-page.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { type Broadcast, broadcastOf, isUnderWay, statsOf } from './broadcast.ts'
import { Sent } from './sent.tsx'
import { draftOf } from './writing/draft.ts'
import { Editor } from './writing/editor.tsx'

/** Between two looks at a broadcast that is on its way. */
const lookEveryMs = 1000

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(broadcastOf(params.id!))
  void client.prefetchQuery(statsOf(params.id!))
}

export default function ShowBroadcast() {
  const id = usePathPart('id')
  const query = useQuery({
    ...broadcastOf(id),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookEveryMs : false),
  })
  const mayWrite = useMay('PATCH /v1/broadcasts/:id')
  const { data: broadcast } = query
  if (!broadcast) {
    return <PendingPage title="Broadcast" query={query} />
  }
  if (!mayWrite) return <Sent broadcast={broadcast} />
  return (
    <WithKept key={id} page={`broadcasts/${id}`}>
      {(kept) => <Shown broadcast={broadcast} kept={kept} />}
    </WithKept>
  )
}

/**
 * The editor of a draft, else what became of it. An editor with unsaved words stays, also if another person sends the
 * draft.
 */
function Shown({ broadcast, kept }: { broadcast: Broadcast; kept: Kept }) {
  const hasUnsaved = useRef(kept.found !== null)
  const isWritten = broadcast.status === 'draft' || hasUnsaved.current
  if (!isWritten) return <Sent broadcast={broadcast} />
  return (
    <Editor
      stored={broadcast}
      kept={kept}
      start={draftOf(broadcast)}
      onChanged={(isChanged) => {
        hasUnsaved.current = isChanged
      }}
    />
  )
}
