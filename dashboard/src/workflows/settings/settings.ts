import { type ComponentType, createContext, useContext } from 'react'
import type { Offer } from './offers.ts'
import type { Schema } from './schema.ts'

/** The state that the fields of a step share. */
type Settings = {
  stepId: string
  offers: Offer[]
  /** The faults of the step, by their path in its config. */
  faults: { path: string; message: string }[]
  isReadOnly: boolean
  /** Draws a field of any kind. Fields that hold others take it from here, since its table of kinds imports them. */
  AnyField: ComponentType<FieldProps>
}

export const SettingsContext = createContext<Settings>({
  ...{ stepId: '', offers: [], faults: [], isReadOnly: false },
  AnyField: () => null,
})

export function useSettings(): Settings {
  return useContext(SettingsContext)
}

/** A field of a config. `path` is its place there, such as `all[0].left`. */
export type FieldProps = {
  schema: Schema
  label: string
  path: string
  value: unknown
  isOptional: boolean
  /** Undefined takes the member away. */
  onChange: (value: unknown) => void
}

/** The fault at a path. A leaf also shows those of its parts. */
export function useFault(path: string, isLeaf = true): string | undefined {
  const { faults } = useSettings()
  const isAt = (at: string) => at === path || (isLeaf && (at.startsWith(`${path}.`) || at.startsWith(`${path}[`)))
  return faults.find((fault) => isAt(fault.path))?.message
}

/** The properties of a field's control that its schema and the state of the step say. */
export function useControl({ schema, label, path, isOptional }: FieldProps) {
  const fault = useFault(path)
  return { label, fault, isOptional, ...(schema.description && { hint: schema.description }) }
}
