import { DomainError } from '../errors.ts'
import { NameError } from '../names/ask-dns.ts'

/** Why the server could not take a write, as the end of a sentence, and when, by `performance.now()`. */
export type RefusedWrite = { cause: string; at: number }

/** The SQLSTATEs of a server that is there and cannot take a write now, each with its cause. */
const causesOfRefusedWrite = new Map([
  ['53100', "the database's disk is full"],
  ['53200', 'the database is out of memory'],
  ['58030', 'the database cannot read or write its files'],
])

/** The SQLSTATE of a write on a server that became read-only, such as a primary that was demoted by a switchover. */
const readOnlyCode = '25006'

/** The SQLSTATE of a statement that the server cancelled: at its time limit, or because an operator said so. */
const cancelledCode = '57014'

const goneCodes =
  /^(08...|25006|55000|57014|57P0[1-5]|53300|ECONN(REFUSED|RESET)|E(HOST|NET)UNREACH|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN)$/
/** The driver's messages, compared as a whole, since other errors may quote them. */
const goneMessages =
  /^(timeout exceeded when trying to connect|Connection terminated( unexpectedly| due to connection timeout)?|Query read timeout|Client .* not queryable)$/

/**
 * True if the database is out of reach, going down, read-only or cannot take a write, as opposed to a fault in the
 * statement.
 */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof NameError) return false
  const { code, message, syscall } = error as { code?: string; message?: string; syscall?: string }
  if (code === 'ENOENT') return syscall === 'connect'
  return goneCodes.test(code ?? '') || causesOfRefusedWrite.has(code ?? '') || goneMessages.test(message ?? '')
}

/**
 * True if the server cancelled the statement, such as one that waited for a lock for longer than a statement may run.
 * `isDatabaseGone` is true as well, since a server without time for any statement does the same.
 */
export function isStatementCancelled(error: unknown): boolean {
  return (error as { code?: string }).code === cancelledCode
}

/** Describes an error for which `isDatabaseGone` is true, for the log and for callers. */
export function describeGone(error: unknown): { forLog: string; forCallers: string } {
  const cause = causeOfRefusedWrite(error)
  return cause === null
    ? {
        forLog: 'database out of reach',
        forCallers: 'The database cannot be reached at the moment. Try again shortly.',
      }
    : { forLog: cause, forCallers: 'The database cannot take a write at the moment. Try again shortly.' }
}

/** Returns why the server could not take a write, as the end of a sentence; null for any other error. */
export function causeOfRefusedWrite(error: unknown): string | null {
  return causesOfRefusedWrite.get((error as { code?: string }).code ?? '') ?? null
}

/** True if a server that is read-only refused a write. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: string }).code === readOnlyCode
}
