import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { dropTyping, isKeeping, keepTyping } from '../session/kept-typing.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { say, sayFault } from '../ui/dialog/toast.tsx'
import { Time } from '../ui/text/time.tsx'
import type { Kept } from './with-kept.tsx'

/** Longer texts are written when typing pauses, since each writing takes milliseconds. */
const longFrom = 100_000
const pauseMs = 500

type Typed = {
  value: unknown
  /** Whether the value holds something that is not saved. Without, nothing is kept. */
  isChanged: boolean
  /** A request with the value is on its way: leaving the page is then no news. */
  isBusy: boolean
}

type Keeping = {
  keptNotice: ReactNode
  /** Says that the value is saved. With `mayHoldMore`, what was typed while that was under way is kept on. */
  saved: (how?: { mayHoldMore?: boolean }) => void
}

/**
 * Keeps what is typed in this browser until it is saved: a link, Back, a reload and a closed tab then lose nothing.
 * Returns the notice that something was kept, and how to say that it is saved.
 */
export function useKeep(kept: Kept, { value, isChanged, isBusy }: Typed): Keeping {
  const json = isChanged ? JSON.stringify(value) : null
  const latest = useRef({ json, isBusy })
  latest.current = { json, isBusy }
  const savedAs = useRef<string | null>(null)
  const inBrowser = useRef(kept.found ? JSON.stringify(kept.found.value) : null)

  /** Returns false if the browser has no room. */
  const keep = useCallback((): boolean => {
    const now = latest.current.json
    if (kept.isOver || now === inBrowser.current) return true
    if (now === null) dropTyping(kept.owner, kept.page)
    else if (!keepTyping(kept.owner, kept.page, now)) return false
    inBrowser.current = now
    return true
  }, [kept])

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
      const isNews = left !== null && left !== savedAs.current && !isSending && !kept.isOver && isKeeping()
      if (!isNews) keep()
      else if (keep()) say('Not saved. What you typed is kept for when you come back.')
      else sayFault('Not saved. This browser has no room to keep what you typed.')
    }
  }, [kept, keep])

  return {
    keptNotice: kept.found && isChanged && <Notice kept={kept} at={kept.found.at} />,
    saved: useCallback(
      ({ mayHoldMore = false } = {}) => {
        dropTyping(kept.owner, kept.page)
        const json = mayHoldMore ? null : latest.current.json
        inBrowser.current = json
        savedAs.current = json
      },
      [kept],
    ),
  }
}

function Notice({ kept, at }: { kept: Kept; at: string }) {
  return (
    <div className="kept">
      <p role="status">
        <strong>Draft kept</strong>, from <Time at={at} />. It is not saved yet.
      </p>
      <ConfirmButton name="Discard draft" short="Discard" verb="Discard" onConfirm={async () => kept.discard()}>
        <p>What you typed and did not save is lost.</p>
      </ConfirmButton>
    </div>
  )
}
