import type { ReactNode } from 'react'

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
  const id = name.toLowerCase()
  return (
    <div className="beside">
      <section className="section beside-aside" aria-labelledby={id}>
        <h2 id={id}>{name}</h2>
        {way}
      </section>
      <div className="beside-main">
        <div className="beside-status">{status}</div>
        {children}
      </div>
    </div>
  )
}
