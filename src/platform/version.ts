import { hash } from 'node:crypto'
import { DomainError } from './errors.ts'

/** The entity tags of the versions that a change may replace. Null if it replaces any. */
export type KnownVersions = string[] | null

/**
 * Returns the entity tag of a resource as a caller sees it: 128 bits of a hash over its JSON. Two different contents
 * never share one, also if they were saved in the same millisecond.
 */
export function versionOf(resource: unknown): string {
  return `"${hash('sha256', JSON.stringify(resource), 'hex').slice(0, 32)}"`
}

/** Throws unless the resource has one of the known versions. The caller holds the lock of its row. */
export function refuseOtherVersion(known: KnownVersions, resource: unknown): void {
  if (known === null || known.includes(versionOf(resource))) return
  throw new DomainError(
    'preconditionFailed',
    'Nothing was changed: this is no longer the version that If-Match names. Read it again, and send the ETag of that answer.',
  )
}
