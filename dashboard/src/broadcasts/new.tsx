import { useQuery } from '@tanstack/react-query'
import { useMay, whoMay } from '../session/me.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { Page } from '../ui/frame/page.tsx'
import { PendingPage } from '../ui/frame/pending-page.tsx'
import { useAddress } from '../ui/go/address.ts'
import { copyOf } from './writing/copy.ts'
import { emptyDraft } from './writing/draft.ts'
import { Editor } from './writing/editor.tsx'

/** A new draft, empty or a copy of another: `?copy=<id>`. */
export default function NewBroadcast() {
  const [{ copy }] = useAddress()
  const start = useQuery({ ...copyOf(copy ?? ''), enabled: copy !== undefined })
  if (!useMay('POST /v1/broadcasts')) {
    return (
      <Page title="New broadcast" isNarrow>
        <p>{whoMay('POST /v1/broadcasts')} may create a broadcast.</p>
      </Page>
    )
  }
  if (copy === undefined)
    return <WithKept page="broadcasts/new">{(kept) => <Editor start={emptyDraft} kept={kept} />}</WithKept>
  const { data: draft } = start
  if (draft)
    return <WithKept page={`broadcasts/new?copy=${copy}`}>{(kept) => <Editor start={draft} kept={kept} />}</WithKept>
  return <PendingPage title="New broadcast" query={start} />
}
