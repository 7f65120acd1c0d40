import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from 'react'

type Named = {
  label: string
  /** One sentence under the label. */
  hint?: ReactNode
  /** The fault that the refusal names at this field. */
  fault?: string | undefined
  /** Says that the field may stay empty. */
  isOptional?: boolean | undefined
}

type FrameProps = Named & {
  /** Takes the place of the label where the control is none of HTML. */
  heading?: ReactNode
  /** Draws the control with the attributes that tie it to its label, hint and fault. */
  children: (ties: Ties) => ReactNode
}
type Ties = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

export function FieldFrame({ label, hint, fault, isOptional, heading, children }: FrameProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <div className="field-head">
        {heading ?? <label htmlFor={id}>{label}</label>}
        {isOptional && <span className="small muted">optional</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="small muted">
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault ? true : undefined })}
      {fault && (
        <p id={`${id}-fault`} role="alert" className="field-fault">
          {fault}
        </p>
      )}
    </div>
  )
}

/** A line of text. `maxLength` counts characters, as the server does. */
export function Field(props: Named & ComponentProps<'input'>) {
  const { frame, control } = split(props)
  return (
    <FieldFrame {...frame}>
      {(ties) => (
        <input type="text" autoComplete="off" {...ties} {...control} maxLength={unitsMax(control.maxLength)} />
      )}
    </FieldFrame>
  )
}

/** Several lines of text. `maxLength` counts characters, as the server does. */
export function TextArea(props: Named & ComponentProps<'textarea'>) {
  const { frame, control } = split(props)
  return (
    <FieldFrame {...frame}>
      {(ties) => <textarea rows={4} {...ties} {...control} maxLength={unitsMax(control.maxLength)} />}
    </FieldFrame>
  )
}

/** Splits the properties of a field into those of its frame and those of its control. */
function split<Props extends Named & { className?: string | undefined }>({
  label,
  hint,
  fault,
  isOptional,
  className = '',
  ...control
}: Props) {
  return { frame: { label, hint, fault, isOptional }, control: { className: `input ${className}`, ...control } }
}

/**
 * The browser counts UTF-16 units, of which a character has at most two. It cuts what is longer off; a text between
 * both bounds is refused by the server at its field.
 */
function unitsMax(characters: number | undefined): number | undefined {
  return characters === undefined ? undefined : 2 * characters
}

export type Option<Value extends string = string> = { value: Value; label: string }

type SelectProps<Value extends string> = Named &
  Omit<ComponentProps<'select'>, 'value'> & {
    value: Value
    options: readonly Option<NoInfer<Value>>[]
    /** Says that the options are not all there yet. */
    isReading?: boolean | undefined
    /** Is given the value of the chosen option, where no form hears `onChange`. */
    onChoose?: (value: NoInfer<Value>) => void
  }

/** One of a few. For more than twenty, use `Combobox`. */
export function Select<Value extends string>({ options, isReading, onChoose, ...props }: SelectProps<Value>) {
  const { frame, control } = split(props)
  const shown = withChosen<Value>(options, props.value, isReading)
  const choose = (event: ChangeEvent<HTMLSelectElement>) => onChoose?.(shown[event.target.selectedIndex]!.value)
  return (
    <FieldFrame {...frame}>
      {(ties) => (
        <select onChange={choose} {...ties} {...control}>
          <Options of={shown} />
        </select>
      )}
    </FieldFrame>
  )
}

/**
 * Adds what is chosen to the options, where it is none of them: it was kept, is in the address or was deleted. A
 * browser would show the first option in its place, which could not be chosen then.
 */
export function withChosen<Value extends string>(
  options: readonly Option<Value>[],
  chosen: Value,
  isReading = false,
): readonly Option<Value>[] {
  if (chosen === '' || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: isReading ? 'Not loaded yet' : 'Not available' }]
}

export function Options({ of: options }: { of: readonly Option[] }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
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
  const id = useId()
  return (
    <fieldset className="group" aria-describedby={fault && `${id}-fault`}>
      <legend>{label}</legend>
      {children}
      {fault && (
        <p id={`${id}-fault`} role="alert" className="field-fault">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
