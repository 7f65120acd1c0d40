import { useEffect, useState } from 'react'
import { Status } from '../../status/status.tsx'
import type { ConversationItem } from '../message.ts'
import { leftOf, untilNextChange } from './time-left.ts'

type Window = Pick<ConversationItem, 'windowOpen' | 'windowExpiresAt'>

/**
 * Returns the milliseconds for which the customer can still be answered freely, and counts down. Zero if that is over.
 */
export function useWindowLeft({ windowOpen, windowExpiresAt }: Window): number {
  const end = windowOpen && windowExpiresAt !== null ? Date.parse(windowExpiresAt) : 0
  const [seen, setSeen] = useState(() => ({ end, now: Date.now() }))
  // The clock stands while the window is closed, and a window that opens again is told from the present time.
  if (seen.end !== end) setSeen({ end, now: Date.now() })
  const left = Math.max(0, end - seen.now)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setSeen({ end, now: Date.now() }), untilNextChange(left))
    return () => clearTimeout(timer)
  }, [end, left])
  return left
}

/**
 * Says whether the customer can be answered freely, and for how long. `isShort` leaves minutes out where there are
 * hours.
 */
export function WindowLeft({ isShort, ...window }: Window & { isShort?: true }) {
  const left = useWindowLeft(window)
  const words = leftOf(left)
  if (left > 0) return <Status of="open" label={`Open for ${isShort ? words.replace(/ h .*/, ' h') : words}`} />
  return <Status of="closed" />
}
