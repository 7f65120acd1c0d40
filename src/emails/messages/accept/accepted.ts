import type { SendingDomain } from '../../../domains/queries.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import type { EmailJob } from '../../jobs.ts'
import type { EmailStatus } from '../statuses.ts'
import type { EmailCommand } from './command.ts'

/** An email that is durable. */
export type AcceptedEmail = {
  id: string
  command: EmailCommand
  domain: SendingDomain
  teamId: string
  /** The sender's Message-ID or one made from the id, with angle brackets. */
  messageId: string
  /** A submitted message without its signature; null if the message is composed from the command. */
  source: Buffer | null
  createdAt: Date
  /** Held by this process if the email is sent at once. Filled by the time the transaction has committed. */
  job: EmailJob | null
}

/** Makes the email of the answer from the request. */
export function emailOf({ id, teamId, command, createdAt }: AcceptedEmail, status: EmailStatus) {
  const { from, to, cc, bcc, subject, html, text, tags, scheduledAt } = command
  return { id, from, to, cc, bcc, subject, html, text, tags, status, mode: modeOf(teamId), scheduledAt, createdAt }
}

/** Makes a Message-ID from the id, so that every repeat of an email carries the same one. */
export function newMessageId(id: string, domainName: string): string {
  return `<${id}@${domainName}>`
}
