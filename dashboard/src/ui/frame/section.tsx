import { type ReactNode, useId } from 'react'

type Props = {
  title: ReactNode
  level?: 2 | 3
  className?: string
  /** The section's buttons or links, beside its heading. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page, named by its heading. */
export function Section({ title, level = 2, className = '', actions, children }: Props) {
  const id = useId()
  const Heading = `h${level}` as const
  const heading = <Heading id={id}>{title}</Heading>
  return (
    <section className={`section ${className}`} aria-labelledby={id}>
      {actions === undefined ? (
        heading
      ) : (
        <div className="section-head">
          {heading}
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
