import { sql } from 'kysely'
import type { App, Caller, Tx } from '../context.ts'
import { spellingsOf } from '../phone/phone-number.ts'
import { recordChange } from '../platform/audit/record.ts'
import { invalid, rateLimited } from '../platform/errors.ts'
import type { Blocks } from '../platform/feature.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import { countJobs } from '../platform/jobs/waiting-jobs.ts'
import { teamsNaming } from '../platform/mode/mode.ts'
import { personOf } from '../platform/privacy/person.ts'
import type { SealedColumn } from '../platform/sealed/column.ts'
import { isAddress, normalizeAddress } from '../platform/text/mail-address.ts'
import { isPhoneNumber, numberForms, phoneNumberForm } from '../platform/text/phone-number.ts'
import { lockBounds } from '../teams/bounds/lock-bounds.ts'
import { refuseStaleLogin } from '../teams/refuse-stale-login.ts'
import { runPrivacyJob } from './jobs.ts'
import { findPrivacyRequest } from './queries.ts'
import type { NewPrivacyRequest } from './schema.ts'

export const personPurpose = 'privacy-person'
export const sealedColumns: SealedColumn[] = [{ table: 'privacy_requests', column: 'person', purpose: personPurpose }]

/** The most open requests of a team. They run one after the other, since each reads all rows of the team. */
export const openMax = 1000
const openWaitSeconds = 60

type Known = { emails: string[]; numbers: string[] }

/**
 * Begins to export or erase all that is known of a person. An erasure blocks the person's addresses in the same commit,
 * also unknown ones, so that nothing is sent to them from then on. Throws `forbidden` for an export by a stale login,
 * and `limitExceeded` while the team has many under way.
 */
export async function createPrivacyRequest(
  app: App,
  blocks: Blocks[],
  caller: Caller,
  { type, email, phoneNumber }: NewPrivacyRequest,
) {
  const { teamId } = caller
  if ((email === undefined) === (phoneNumber === undefined))
    throw invalid('email', 'send either email or phoneNumber, and not both')
  if (email !== undefined && !isAddress(email))
    throw invalid('email', 'must be one bare address, such as ada@example.com')
  if (phoneNumber !== undefined && !isPhoneNumber(phoneNumber)) throw invalid('phoneNumber', phoneNumberForm)
  if (type === 'export') refuseStaleLogin(caller, app.clock.now())
  const id = await app.transaction(async (tx) => {
    await refuseTooMany(tx, teamId)
    const known = await findKnown(tx, teamId, { email, phoneNumber })
    const id = tx.newId()
    const person = app.keyring.encrypt(personPurpose, JSON.stringify(personOf(known.emails, known.numbers)), id)
    await tx.db
      .insertInto('privacy_requests')
      .values({ team_id: teamId, id, type, person, created_at: tx.now, finished_at: null })
      .execute()
    if (type === 'erase') await block(tx, blocks, teamId, known)
    await enqueueJob(tx, runPrivacyJob, { teamId, key: id })
    const target = { type: 'privacy_request', id }
    await recordChange(tx, {
      teamId,
      action: 'privacy_request.created',
      target,
      changes: { type: { from: null, to: type } },
    })
    return id
  })
  return (await findPrivacyRequest(app.db, teamId, id))!
}

/** The lock of the team's row makes the count exact. */
async function refuseTooMany(tx: Tx, teamId: string): Promise<void> {
  await lockBounds(tx, teamId)
  if ((await countJobs(tx.db, runPrivacyJob, teamId)) < openMax) return
  const message = `A team has at most ${openMax.toLocaleString('en')} exports and erasures under way. Wait until some of them have ended.`
  throw rateLimited(message, openWaitSeconds)
}

/**
 * Finds the live contact with this address or number, and takes both its addresses, numbers in all their spellings. A
 * requested number that several contacts share identifies none of them, so it is taken alone. With a requested address
 * the contact's number is taken, shared or not. Contacts of test mode tell nothing about a person, since whoever has a
 * test key makes them.
 */
async function findKnown(tx: Tx, teamId: string, { email, phoneNumber }: Partial<NewPrivacyRequest>): Promise<Known> {
  const given = phoneNumber ? spellingsOf(phoneNumber) : []
  // Each part has an index. With `or` between them all contacts would be read.
  const { rows } = await sql<{ email: string; phone: string | null }>`
    (select email, phone_number as phone from contacts
    where team_id = ${teamId} and email_key = ${email ? normalizeAddress(email) : null})
    union all
    (select email, phone_number as phone from contacts
    where team_id = ${teamId} and phone_number = any(${given.flatMap(numberForms)}::text[]) limit 1000)
  `.execute(tx.db)
  const isShared = new Set(rows.map(({ email }) => normalizeAddress(email))).size > 1
  if (isShared) return { emails: [], numbers: given }
  const emails = [...(email ? [email] : []), ...rows.map((row) => row.email)]
  const numbers = [...given, ...rows.flatMap(({ phone }) => (phone ? spellingsOf(phone) : []))]
  return { emails: [...new Set(emails)], numbers: [...new Set(numbers)] }
}

async function block(tx: Tx, blocks: Blocks[], teamId: string, { emails, numbers }: Known): Promise<void> {
  for (const id of teamsNaming(teamId)) {
    for (const { address, number } of blocks) {
      for (const each of emails) await address?.(tx, id, each)
      for (const each of numbers) await number?.(tx, id, each)
    }
  }
}
