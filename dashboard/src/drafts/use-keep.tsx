import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { dropDraft, isKeeping, keepDraft } from '../session/kept-drafts.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { say, sayFault } from '../ui/dialog/toast.tsx'
import { Time } from '../ui/text/time.tsx'
import type { Draft } from './with-draft.tsx'

/** Longer drafts are written when typing pauses, since each writing takes milliseconds. */
const longFrom = 100_000
const pauseMs = 500

type Typed = {
  value: unknown
  /** Whether the value holds something that is not saved. Without, nothing is kept. */
  isChanged: boolean
  /** A request with the value is on its way: leaving the page is then no news. */
  isBusy: boolean
}

/**
 * Keeps what is typed in this browser until it is saved: a link, Back, a reload and a closed tab then lose nothing.
 * Returns the notice that a draft was kept, and how to say that it is saved.
 */
export function useKeep(draft: Draft, { value, isChanged, isBusy }: Typed): { notice: ReactNode; saved: () => void } {
  const json = isChanged ? JSON.stringify(value) : null
  const latest = useRef({ json, isBusy })
  latest.current = { json, isBusy }
  const savedAs = useRef<string | null>(null)
  const kept = useRef(draft.found ? JSON.stringify(draft.found.value) : null)

  /** Returns false if the browser has no room. */
  const keep = useCallback((): boolean => {
    const now = latest.current.json
    if (draft.isOver || now === kept.current) return true
    if (now === null) dropDraft(draft.owner, draft.page)
    else if (!keepDraft(draft.owner, draft.page, now)) return false
    kept.current = now
    return true
  }, [draft])

  useEffect(() => {
    const timer = setTimeout(keep, json !== null && json.length > longFrom ? pauseMs : 0)
    return () => clearTimeout(timer)
  }, [json, keep])

  useEffect(() => {
    const ask = (event: Event) => {
      if (!keep()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('pagehide', keep)
      const { json: left, isBusy: isSending } = latest.current
      const isNews = left !== null && left !== savedAs.current && !isSending && !draft.isOver && isKeeping()
      if (!isNews) keep()
      else if (keep()) say('Not saved. What you typed is kept for when you come back.')
      else sayFault('Not saved. This browser has no room to keep what you typed.')
    }
  }, [draft, keep])

  return {
    notice: draft.found && isChanged && <Notice draft={draft} at={draft.found.at} />,
    saved: useCallback(() => {
      dropDraft(draft.owner, draft.page)
      kept.current = latest.current.json
      savedAs.current = latest.current.json
    }, [draft]),
  }
}

function Notice({ draft, at }: { draft: Draft; at: string }) {
  return (
    <div className="kept">
      <p role="status">
        <strong>Draft kept</strong>, from <Time at={at} />. It is not saved yet.
      </p>
      <ConfirmButton name="Discard draft" short="Discard" verb="Discard" onConfirm={async () => draft.discard()}>
        <p>What you typed and did not save is lost.</p>
      </ConfirmButton>
    </div>
  )
}
