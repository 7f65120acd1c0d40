import type { ComponentProps } from 'react'
import { Field } from '../ui/form/field.tsx'

/** A code of the authenticator app, or a recovery code. */
export function CodeField(props: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Authentication code"
      hint="From your authenticator app, or one of your recovery codes."
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
