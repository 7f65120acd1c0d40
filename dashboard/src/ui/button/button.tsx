import type { ComponentProps, ReactNode } from 'react'
import type { PagePath } from '../../paths.ts'
import { Go } from '../go/go.tsx'
import { Icon, type IconName } from '../icon.tsx'

type Kind = 'plain' | 'main' | 'danger' | 'quiet'

type Props = ComponentProps<'button'> & {
  /** `main` is the page's one main button; `quiet` has no edge. */
  kind?: Kind
  /** Shown while the button's request is under way: it keeps the focus and takes no second click. */
  isBusy?: boolean
  icon?: IconName
  /** The name of a button that shows its icon alone. */
  label?: string
}

export function Button({ kind = 'plain', isBusy, icon, label, className, children, onClick, ...rest }: Props) {
  const name = `button button-${kind} ${label ? 'button-icon' : ''} ${className ?? ''}`
  return (
    <button
      type="button"
      className={name}
      aria-label={label}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || rest.disabled || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A link to a page that looks like a button. */
export function ButtonLink({ to, kind = 'plain', children }: { to: PagePath; kind?: Kind; children: ReactNode }) {
  return (
    <Go to={to} className={`button button-${kind}`}>
      {children}
    </Go>
  )
}
