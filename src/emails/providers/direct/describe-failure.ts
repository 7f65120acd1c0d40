import type { Diagnosis } from '../../notification.ts'
import { type Failure, failedAt } from '../../smtp-client/failure.ts'
import type { Candidate } from './find-hosts.ts'

/** Describes a failed connection for readers of the email's events. */
export function describeFailure({ name, address }: Candidate, failure: Failure): Diagnosis {
  const { phase, message, reply } = failure
  return {
    status: phase === 'tls' ? '4.7.10' : (temporary(reply?.enhanced) ?? (phase === 'connect' ? '4.4.1' : '4.4.2')),
    diagnosticCode: `The mail host ${name} [${address}] ${failedAt[phase]}: ${message}.`,
  }
}

/** Null for a permanent status: a server that refuses the connection has not judged the message. */
function temporary(status: string | null | undefined): string | null {
  return status?.startsWith('4.') ? status : null
}
