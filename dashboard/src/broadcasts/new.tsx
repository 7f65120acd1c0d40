import { useQuery } from '@tanstack/react-query'
import { useAddress } from '../ui/address.ts'
import { Page } from '../ui/page.tsx'
import { Fetch } from '../ui/states.tsx'
import { broadcastOf, useMayWrite } from './broadcast.ts'
import { draftOf, emptyDraft } from './draft.ts'
import { Editor } from './editor.tsx'

/** A new draft, empty or a copy of another: `?copy=<id>`. */
export default function NewBroadcast() {
  const [{ copy }] = useAddress()
  const original = useQuery({ ...broadcastOf(copy ?? ''), enabled: copy !== undefined })
  if (!useMayWrite()) {
    return (
      <Page title="New broadcast" isNarrow>
        <p>Owners, admins and marketers may create a broadcast.</p>
      </Page>
    )
  }
  if (copy === undefined) return <Editor start={emptyDraft} />
  return (
    <Fetch query={original}>
      {(broadcast) => (
        <Editor start={{ ...draftOf(broadcast), name: `${broadcast.name} (copy)`.slice(0, 200), scheduledAt: '' }} />
      )}
    </Fetch>
  )
}
