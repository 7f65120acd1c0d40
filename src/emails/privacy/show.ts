import { modeOf } from '../../platform/mode/mode.ts'
import {
  isPersonsAddress,
  ownAddresses,
  shownAddress,
  shownAddresses,
  textWithoutOthers,
  withoutOthers,
} from '../../platform/privacy/others.ts'
import type { Person } from '../../platform/privacy/person.ts'
import type { Found, Showing } from '../../platform/privacy/trace.ts'
import { formatMailbox, splitMailboxes } from '../mailbox.ts'
import { findEmailUpTo } from '../queries.ts'

const all = { domainId: null, system: true }

/**
 * Shows an email as `GET /v1/emails/{id}` does. The bodies are those that the person got: an email to others alone that
 * names the person has none. `bodiesLeftOut` marks one whose bodies the export has no room for.
 */
export async function showEmail({ db, teamId, person, room }: Showing, { key, row }: Found): Promise<object | null> {
  const [to, cc, bcc] = [row.to_addresses, row.cc_addresses, row.bcc_addresses] as (string[] | null)[]
  const replyTo = shownReplyTo(row.reply_to as string | null, person)
  const isRecipient = [to, cc, bcc].some((list) => list?.some((address) => isPersonsAddress(address, person)))
  const subject = isRecipient ? row.subject : textWithoutOthers(String(row.subject), person)
  const bodies = isRecipient ? await findBodies(db, teamId, key[0]!, room) : { html: null, text: null }
  return {
    ...{ id: row.id, from: row.from_address, to: shownAddresses(to!, person), cc: shownAddresses(cc, person) },
    ...{ bcc: ownAddresses(bcc, person), replyTo, subject, ...bodies, tags: withoutOthers(row.tags, person) },
    ...{ status: row.status, mode: modeOf(teamId), scheduledAt: row.scheduled_at, createdAt: row.created_at },
  }
}

/** Several mailboxes are one text. The names of others go with their addresses. */
function shownReplyTo(replyTo: string | null, person: Person): string | null {
  const mailboxes = replyTo === null ? null : splitMailboxes(replyTo).map(formatMailbox)
  return shownAddresses(mailboxes, person)?.join(', ') ?? null
}

async function findBodies(db: Showing['db'], teamId: string, id: string, room: Showing['room']) {
  const found = await findEmailUpTo(db, teamId, id, all, room.bytes)
  if (!found) return { html: null, text: null }
  if (!found.email) return { html: null, text: null, bodiesLeftOut: true }
  room.bytes -= found.bytes
  const { html, text } = found.email
  return { html, text }
}

export function showEmailEvent({ person }: Showing, { row }: Found): object {
  const { id, email_id: emailId, type, recipient, created_at: createdAt, data } = row
  const shown = shownAddress(recipient as string | null, person)
  return { id, emailId, type, recipient: shown, createdAt, data: withoutOthers(data, person) }
}

/** Shows that the text of an email names the person. The text is with those emails that the person got. */
export function showNaming(_: Showing, { row }: Found): object {
  return { emailId: row.email_id }
}
