import { type ComponentProps, type ReactNode, useId } from 'react'

type Common = {
  label: string
  /** One sentence under the label. */
  hint?: ReactNode
  /** The fault that the refusal names at this field. */
  fault?: string | undefined
  /** Says that the field may stay empty. */
  isOptional?: boolean
}

/** The ids and attributes that tie a control to its label, hint and fault. */
function useTies({ hint, fault }: Pick<Common, 'hint' | 'fault'>) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const control = { id, 'aria-describedby': described || undefined, 'aria-invalid': fault ? true : undefined }
  return { id, control }
}

function Ties({ id, label, hint, fault, isOptional, children }: Common & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {isOptional && <span className="small muted">optional</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="small muted">
          {hint}
        </p>
      )}
      {children}
      {fault && (
        <p id={`${id}-fault`} role="alert" className="field-fault">
          {fault}
        </p>
      )}
    </div>
  )
}

/** A line of text. */
export function Field({ label, hint, fault, isOptional, className, ...rest }: Common & ComponentProps<'input'>) {
  const { id, control } = useTies({ hint, fault })
  return (
    <Ties {...{ id, label, hint, fault, isOptional: isOptional ?? false }}>
      <input type="text" autoComplete="off" className={`input ${className ?? ''}`} {...control} {...rest} />
    </Ties>
  )
}

/** Several lines of text. */
export function TextArea({ label, hint, fault, isOptional, className, ...rest }: Common & ComponentProps<'textarea'>) {
  const { id, control } = useTies({ hint, fault })
  return (
    <Ties {...{ id, label, hint, fault, isOptional: isOptional ?? false }}>
      <textarea rows={4} className={`input ${className ?? ''}`} {...control} {...rest} />
    </Ties>
  )
}

export type Option = { value: string; label: string }

/** One of a few. For more than twenty, use `Combobox`. */
export function Select({
  label,
  hint,
  fault,
  isOptional,
  options,
  className,
  ...rest
}: Common & ComponentProps<'select'> & { options: Option[] }) {
  const { id, control } = useTies({ hint, fault })
  return (
    <Ties {...{ id, label, hint, fault, isOptional: isOptional ?? false }}>
      <select className={`input ${className ?? ''}`} {...control} {...rest}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Ties>
  )
}

type TickProps = ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode }

/** A checkbox or a radio button with its words. */
export function Tick({ label, hint, ...rest }: TickProps) {
  const id = useId()
  return (
    <div className="tick">
      <input type="checkbox" id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="small muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

/** Several controls under one name. */
export function Group({ label, fault, children }: { label: string; fault?: string | undefined; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{label}</legend>
      {children}
      {fault && (
        <p role="alert" className="field-fault">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
