import type { ReactNode } from 'react'
import { Time } from '../text/time.tsx'

export type Station = {
  id: string
  /** The event's name, such as *Delivered*. */
  name: string
  at?: string | null
  /** Passed stations are filled, the next is hollow, a fault breaks the line. */
  state: 'passed' | 'next' | 'fault' | 'later'
  tone?: string
  /** The reason, or what the host said. */
  children?: ReactNode
}

/** The way of whatever travels: an email's events, a broadcast, an execution, a verification. */
export function RouteLine({ name, stations }: { name: string; stations: Station[] }) {
  return (
    <ol aria-label={name} className="route">
      {stations.map(({ id, name: what, at, state, tone, children }) => (
        <li key={id} className={`station station-${state} ${tone ? `tone-${tone}` : ''}`}>
          <svg viewBox="0 0 12 20" width="12" height="20" aria-hidden="true" className="station-mark">
            {state === 'fault' ? <path d="M2.5 6.5l7 7M9.5 6.5l-7 7" /> : <circle cx="6" cy="10" r="4" />}
          </svg>
          <div className="station-words">
            <div className="station-head">
              <span className="station-name">{what}</span>
              {at && (
                <span className="small muted">
                  <Time at={at} isExact />
                </span>
              )}
            </div>
            {children && <div className="station-note">{children}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
