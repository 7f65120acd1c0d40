import type { ReactNode } from 'react'
import { Section } from './section.tsx'

type Props = {
  /** The heading of the way, such as *Timeline*. */
  name: string
  /** The way of the thing: a route line. */
  way: ReactNode
  /** The status, and words on it. */
  status: ReactNode
  children: ReactNode
}

/** A thing that goes a way: what it is, beside its way. */
export function Beside({ name, way, status, children }: Props) {
  return (
    <div className="beside">
      <Section title={name} className="beside-aside">
        {way}
      </Section>
      <div className="beside-main">
        <div className="beside-status">{status}</div>
        {children}
      </div>
    </div>
  )
}
