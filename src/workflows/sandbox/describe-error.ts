import { faultMax } from './task.ts'

/** An error as QuickJS describes it. The code can set any of its members. */
type TheirError = { name?: unknown; message?: unknown; stack?: unknown } | undefined

/**
 * Describes an error as `TypeError: cannot read property 'x' of null (line 3)`, with the line of the author's source.
 * Shortens it, since an error from outside of the harness may be as long as the memory allows.
 */
export function describeError(error: TheirError): string {
  const name = typeof error?.name === 'string' && error.name !== '' ? `${error.name.slice(0, faultMax)}: ` : ''
  const line = typeof error?.stack === 'string' ? /\bcode:(\d{1,9})/.exec(error.stack)?.[1] : undefined
  const message =
    typeof error?.message === 'string' ? error.message.slice(0, faultMax) : 'an error that cannot be shown'
  return `${name}${message}${line === undefined ? '' : ` (line ${line})`}`
}
