import { useOptions } from '../api/all.ts'
import type { Option } from '../ui/form/field.tsx'

/** The team's domains as options, by name. */
export function useDomainOptions(): Option[] {
  return useOptions('/v1/domains').sort((one, other) => one.label.localeCompare(other.label))
}
