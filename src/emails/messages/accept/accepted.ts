import type { SendingDomain } from '../../../domains/queries.ts'
import type { EmailJob } from '../../jobs.ts'
import type { EmailStatus } from '../statuses.ts'
import type { EmailCommand } from './command.ts'

/** An email that is durable; `job` is held by us where it is to be sent at once. */
export type AcceptedEmail = {
  id: string
  command: EmailCommand
  domain: SendingDomain
  teamId: string
  /** With angle brackets: the sender's own, or made from the id. */
  messageId: string
  /** A submitted message without its signature; null where the message is composed from the command. */
  source: Buffer | null
  createdAt: Date
  job: EmailJob | null
}

/** The email as its request made it, for the answer. */
export function emailOf({ id, command, createdAt }: AcceptedEmail, status: EmailStatus) {
  const { from, to, cc, bcc, subject, html, text, tags, scheduledAt } = command
  return { id, from, to, cc, bcc, subject, html, text, tags, status, scheduledAt, createdAt }
}

/** Made from the id, so that every repeat of an email carries the same one. */
export function newMessageId(id: string, domainName: string): string {
  return `<${id}@${domainName}>`
}
