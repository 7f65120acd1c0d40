import { type ReactNode, useEffect, useState } from 'react'
import { Refusal, Unreachable } from '../../api/refusal.ts'
import { waitWords } from './words.ts'

/** Words on a failure that stand on top of a form or in the place of a view. */
export function Fault({ error, children }: { error?: unknown; children?: ReactNode }) {
  if (error === undefined || error === null) return null
  return (
    <div role="alert" className="fault">
      <p>{textOfFault(error)}</p>
      {error instanceof Refusal && error.status === 429 && error.retryAfter !== null && (
        <CountDown key={error.retryAfter} seconds={error.retryAfter} />
      )}
      {children}
    </div>
  )
}

/** Returns what to say about an error. */
export function textOfFault(error: unknown): string {
  if (error instanceof Unreachable) {
    const next = error.mayBeDone ? 'look whether this was done before you try again' : 'try again'
    return `Posthorn can't be reached. What you entered is kept. When it is back, ${next}.`
  }
  if (error instanceof Error) return error.message
  return 'Something went wrong. Load the page again.'
}

/** Counts down to the time at which a request may be repeated, and calls `onEnd` then. */
export function CountDown({ seconds, onEnd }: { seconds: number; onEnd?: () => void }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (left <= 0) {
      onEnd?.()
      return
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left, onEnd])
  return (
    <p className="small" aria-live="off">
      {left > 0 ? `Try again in ${waitWords(left)}.` : 'You can try again now.'}
    </p>
  )
}
