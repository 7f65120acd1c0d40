import type { ReactNode } from 'react'
import { CopyButton } from '../button/copy.tsx'

/** Shows the fields of a thing, as names with values. */
export function Facts({ name, children }: { name?: string; children: ReactNode }) {
  return (
    <dl className="facts" aria-label={name}>
      {children}
    </dl>
  )
}

export function Fact({ name, isMono, children }: { name: string; isMono?: boolean; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={isMono ? 'mono' : undefined}>{children}</dd>
    </>
  )
}

export function IdFact({ id }: { id: string }) {
  return (
    <Fact name="ID">
      <span className="copied">
        <code>{id}</code>
        <CopyButton text={id} name="Copy ID" isSmall />
      </span>
    </Fact>
  )
}
