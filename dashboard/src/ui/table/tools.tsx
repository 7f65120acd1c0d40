import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Option, Options, withChosen } from '../form/field.tsx'
import { useAddress } from '../go/address.ts'
import { useShortcut } from '../go/shortcuts.ts'
import { useMedia } from '../use-media.ts'

const settleMs = 200

/** The line above a list: search, filters and the total. What they hold is in the address. */
export function ListTools({ children, total }: { children: ReactNode; total?: string | undefined }) {
  return (
    <div className="list-tools">
      {children}
      {total !== undefined && <p className="list-total">{total}</p>}
    </div>
  )
}

type SearchProps = {
  name: string
  /** The searched fields, shown while the field is empty. The name if left out. */
  hint?: string
}

/** The search of a list, kept as `search` in the address. `/` leads to it. */
export function ListSearch({ name, hint = name }: SearchProps) {
  const [address, change] = useAddress()
  const shown = address.search ?? ''
  const [text, setText] = useState(shown)
  const [asked, setAsked] = useState(shown)
  const [before, setBefore] = useState(shown)
  const field = useRef<HTMLInputElement>(null)
  // Back and forward change the address, and the field follows. It does not follow what it asked for itself, since more
  // may have been typed by then.
  if (before !== shown) {
    setBefore(shown)
    if (shown !== asked) {
      setAsked(shown)
      setText(shown)
    }
  }
  const latest = useRef(change)
  latest.current = change
  useEffect(() => {
    if (text.trim() === shown) return
    const timer = setTimeout(() => {
      setAsked(text.trim())
      latest.current({ search: text.trim() || undefined })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [text, shown])
  useShortcut('/', name, () => field.current?.focus())
  return (
    <input
      ref={field}
      type="search"
      className="input list-search"
      aria-label={name}
      placeholder={hint}
      autoComplete="off"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

type FilterProps = {
  name: string
  parameter: string
  all: string
  /** Undefined until they are read. */
  options: Option[] | undefined
  /** Parameters that a choice takes out of the address, where only one of several filters may count. */
  replaces?: string[]
}

/** A filter with a few values, kept in the address under its parameter. The first option is *all*. */
export function ListFilter({ name, parameter, all, options, replaces }: FilterProps) {
  const [address, change] = useAddress()
  return (
    <Filter
      name={name}
      options={[{ value: '', label: all }, ...(options ?? [])]}
      isReading={options === undefined}
      value={address[parameter] ?? ''}
      onChange={(value) => change({ ...without(replaces), [parameter]: value || undefined })}
    />
  )
}

type ChoiceProps = {
  name: string
  options: Option[]
  /** Says that the options are not all there yet. */
  isReading?: boolean
  value: string
  onChange: (value: string) => void
}

/** A filter as a menu whose name is for screen readers. */
export function Filter({ name, options, isReading, value, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field filter">
      <label htmlFor={id} className="unseen">
        {name}
      </label>
      <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        <Options of={withChosen(options, value, isReading)} />
      </select>
    </div>
  )
}

/**
 * Filters that are used less. Below 900 px they are behind *More filters*, which stays open when the last is cleared.
 */
export function MoreFilters({ parameters, children }: { parameters: string[]; children: ReactNode }) {
  const [address] = useAddress()
  const isFiltered = parameters.some((parameter) => address[parameter] !== undefined)
  const [isOpen, setOpen] = useState(isFiltered)
  const isNarrow = useMedia('(max-width: 899px)')
  if (!isNarrow) return children
  return (
    <details
      className="more-filters"
      open={isOpen || isFiltered}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>More filters</summary>
      <div className="list-tools">{children}</div>
    </details>
  )
}

/** A day as a filter, kept in the address as `YYYY-MM-DD`. */
export function ListDay({ name, parameter }: { name: string; parameter: string }) {
  const [address, change] = useAddress()
  return (
    <NamedFilter name={name}>
      {(id) => (
        <input
          id={id}
          type="date"
          className="input"
          value={address[parameter] ?? ''}
          onChange={(event) => change({ [parameter]: event.target.value || undefined })}
        />
      )}
    </NamedFilter>
  )
}

type ExactProps = {
  name: string
  parameter: string
  example: string
  replaces?: string[]
  /** Why the value of the address does not count. */
  fault?: string | undefined
}

/** A filter by a whole value, kept in the address. It counts on Enter, or when the field is left. */
export function ListExact({ name, parameter, example, replaces, fault }: ExactProps) {
  const [address, change] = useAddress()
  const shown = address[parameter] ?? ''
  const field = useRef<HTMLInputElement>(null)
  const asked = useRef(shown)
  // Back and forward change the address, and the field follows.
  useEffect(() => {
    if (field.current && shown !== asked.current) field.current.value = shown
    asked.current = shown
  }, [shown])
  const apply = (text: string) => {
    if (text.trim() === shown) return
    asked.current = text.trim()
    change({ ...without(replaces), [parameter]: text.trim() || undefined })
  }
  return (
    <NamedFilter name={name} fault={fault}>
      {(id) => (
        <input
          ref={field}
          id={id}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault && `${id}-fault`}
          type="text"
          className="input"
          autoComplete="off"
          placeholder={example}
          maxLength={320}
          defaultValue={shown}
          onBlur={(event) => apply(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && apply(event.currentTarget.value)}
        />
      )}
    </NamedFilter>
  )
}

type NamedProps = { name: string; fault?: string | undefined; children: (id: string) => ReactNode }

/** A filter whose name stands before it, and whose fault stands below it. */
function NamedFilter({ name, fault, children }: NamedProps) {
  const id = useId()
  return (
    <div className="field filter filter-day">
      <label htmlFor={id} className="small muted">
        {name}
      </label>
      {children(id)}
      {fault && (
        <p id={`${id}-fault`} role="alert" className="field-fault">
          {fault}
        </p>
      )}
    </div>
  )
}

function without(parameters: string[] = []): Record<string, undefined> {
  return Object.fromEntries(parameters.map((parameter) => [parameter, undefined]))
}
