import { type DomainError, invalidFields } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'

export type ValueFault = { path: string; value: unknown; message: string }

/** Makes the refusal of filled values. The message shows each value to the author of the workflow. */
export function becameInvalid(...faults: ValueFault[]): DomainError {
  return invalidFields(
    faults.map(({ path, value, message }) => ({ path, message: `${message}; it became ${shown(value)}` })),
  )
}

/**
 * Returns the id in small letters, as rows and keys of jobs have it. Throws `invalid` for a text that is not a UUID.
 */
export function readId(path: string, value: string, noun: string): string {
  if (isUuid(value)) return value.toLowerCase()
  throw becameInvalid({ path, value, message: `must be the id of a ${noun}` })
}

const shownMax = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text
}
