import type { ComponentProps } from 'react'
import { Field } from '../ui/field.tsx'

/** A code of the authenticator app, or a recovery code. */
export function CodeField(props: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Authentication code"
      hint="Of your authenticator app, or a recovery code."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      className="mono"
      {...props}
      autoFocus
    />
  )
}
