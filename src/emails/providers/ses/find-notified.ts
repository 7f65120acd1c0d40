import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { type Json, objectOf, textOf } from '../../../platform/http/body/read-foreign-json.ts'
import type { Keyring } from '../../../platform/keys/keyring.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { domainOf } from '../../../platform/text/mail-address.ts'
import { parseMailbox } from '../../mailbox.ts'
import { readEmailTag, tagName } from './email-tag.ts'
import { bareAddress } from './read-event.ts'

/** The email that an event is about, locked against deletion until the transaction ends. */
type Notified = {
  teamId: string
  emailId: string
  recipients: string[]
  /** True if it has lost a recipient, who was erased. */
  hasErased: boolean
  /** Its hand-over is not recorded, or may be repeated. */
  isUnderWay: boolean
}

type Row = {
  isUnderWay: boolean
  teamId: string
  emailId: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
}

/**
 * Finds the email of an event by our tag, which events of a configuration set carry, or by the Message-ID we wrote,
 * which events of an identity carry. Null if the email is not ours.
 */
export async function findNotified(tx: Tx, keyring: Keyring, mail: Json): Promise<Notified | null> {
  const tags = objectOf(mail.tags)[tagName]
  const ref = Array.isArray(tags) ? readEmailTag(keyring, textOf(tags[0])) : null
  const row = ref ? await findById(tx, ref.teamId, ref.emailId) : await findByMessageId(tx, mail)
  if (!row) return null
  const { teamId, emailId, to, cc, bcc, isUnderWay } = row
  const texts = [...to, ...(cc ?? []), ...(bcc ?? [])]
  const all = texts.flatMap((text) => parseMailbox(text)?.address ?? [])
  return { teamId, emailId, recipients: [...new Set(all)], hasErased: texts.includes(erased), isUnderWay }
}

async function findById(tx: Tx, teamId: string, emailId: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select team_id as "teamId", id as "emailId", to_addresses as "to", cc_addresses as "cc", bcc_addresses as "bcc",
      dispatching or sent_at is null as "isUnderWay"
    from emails where team_id = ${teamId} and id = ${emailId} for key share
  `.execute(tx.db)
  return rows[0]
}

/**
 * The domain of the Message-ID leads to the team, since at most one team has a domain verified. A team that submits
 * complete messages may write any Message-ID, but only its own domains in `From`; so the domain of `From`, Amazon's
 * `source`, must be the same.
 */
async function findByMessageId(tx: Tx, mail: Json): Promise<Row | undefined> {
  const [, emailId, domainName] = ours.exec(messageIdOf(mail)) ?? []
  if (!emailId || !domainName || domainOf(bareAddress(textOf(mail.source))) !== domainName) return undefined
  const owner = await tx.db
    .selectFrom('domains')
    .select('team_id')
    .where('name', '=', domainName)
    .where('status', '=', 'verified')
    .executeTakeFirst()
  return owner && findById(tx, owner.team_id, emailId)
}

const ours = /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@([a-z0-9.-]{1,255})>?$/

/** Reads the Message-ID we wrote from the original headers if the identity includes them. Amazon SES writes its own. */
function messageIdOf(mail: Json): string {
  const headers = (Array.isArray(mail.headers) ? mail.headers : []).map(objectOf)
  const written = headers.find(({ name }) => textOf(name).toLowerCase() === 'message-id')?.value
  return textOf(written) || textOf(objectOf(mail.commonHeaders).messageId)
}
