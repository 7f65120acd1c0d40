import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import type { Database } from '../database.ts'
import type { Event } from '../events.ts'
import { invalidFields } from '../platform/errors.ts'
import { publish } from '../platform/events.ts'
import { isUuid } from '../platform/ids.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { gatheredByTeam } from '../platform/transaction/gather-by-team.ts'
import { contactEvent } from './announce.ts'
import { eachText, textFields } from './fields.ts'
import { type ContactRow, textColumnList, textsFromNew, textTypes } from './queries.ts'
import { type ContactColumns, columnsOf, differs, faultsOf } from './rules.ts'
import type { ContactChanges } from './schema.ts'

type ContactChange = {
  teamId: string
  /** The contact's id, or its address regardless of case. */
  contact: string
  given: ContactChanges
  /** True to merge the given properties into the existing ones instead of replacing them. */
  mergeProperties?: boolean
  /** With `mergeProperties`, true to remove the properties that are given as null. */
  removesNulls?: boolean
  /** The cause that the published events carry. */
  cause?: string
}

/**
 * Changes a contact, in a commit shared with other changes, and returns it. Undefined if the team does not have it. If
 * every field has its value already, publishes nothing and keeps `updated_at`. Setting `unsubscribed` here blocks no
 * address. Throws `invalid`. A contact that others have locked, such as an import, is waited for apart, so that the
 * changes of other contacts and teams are not held up.
 */
export async function changeContact(app: App, change: ContactChange): Promise<ContactRow | undefined> {
  for (const pauseMs of pausesMs) {
    const contact = await changeUnlocked(app, change)
    if (contact !== isLocked) return contact
    await sleep(pauseMs)
  }
  return changeOnceFree(app, change)
}

/** Pauses after which a locked contact is tried again. Most locks are those of changes that share another commit. */
const pausesMs = [10, 50]
const isLocked = Symbol('the contact is locked')

const changeUnlocked = gatheredFor(
  (app: App, changes: ContactChange[]) => app.transaction((tx) => changeAll(tx, changes, sql`skip locked`)),
  { itemsMax: 200, flushesMax: 2 },
)

const changeOnceFree = gatheredByTeam(async (app: App, changes: ContactChange[]) => {
  const results = await app.transaction((tx) => changeAll(tx, changes, sql``))
  return results.map((result) => (result === isLocked ? undefined : result))
})

/** Applies the changes in the order given; each one sees the results of those before it. */
async function changeAll(
  tx: Tx,
  changes: ContactChange[],
  ofLocked: RawBuilder<unknown>,
): Promise<(ContactRow | undefined | typeof isLocked | Error)[]> {
  const contacts = await holdContacts(tx, changes, ofLocked)
  const changed = new Set<Held>()
  const events: Event[] = []
  const results = changes.map((change) => {
    const held = contacts.get(nameOf(change))
    if (!held || held === isLocked) return held
    const given = change.mergeProperties ? mergedWith(held, change) : change.given
    const faults = faultsOf(given)
    if (faults.length > 0) return invalidFields(faults)
    const columns = columnsOf(given)
    if (differs(held, columns)) {
      changed.add(held)
      events.push(...eventsOf(change, held, columns))
      Object.assign(held, columns, { updated_at: tx.now })
      held.hasNewProperties ||= columns.properties !== undefined
    }
    return rowOf(held)
  })
  // In one write with what the subscribers read.
  writeAll(tx, [...changed])
  await publish(tx, events)
  return results
}

/** The merged properties may be too large, so they are checked like given ones. */
function mergedWith({ properties }: Held, { given, removesNulls = false }: ContactChange): ContactChanges {
  if (given.properties === undefined) return given
  const merged = Object.entries({ ...properties, ...given.properties })
  return { ...given, properties: Object.fromEntries(merged.filter(([, value]) => !removesNulls || value !== null)) }
}

function eventsOf({ teamId, cause }: ContactChange, before: Held, { unsubscribed }: ContactColumns): Event[] {
  const updated = contactEvent('contact.updated', teamId, before.id, cause)
  if (unsubscribed !== true || before.unsubscribed) return [updated]
  return [updated, contactEvent('contact.unsubscribed', teamId, before.id, cause)]
}

type Held = Required<ContactColumns> &
  Pick<Selectable<Database['contacts']>, 'team_id' | 'id' | 'email' | 'email_key' | 'created_at' | 'updated_at'> & {
    hasNewProperties: boolean
  }

function nameOf({ teamId, contact }: ContactChange): string {
  return `${teamId} ${isUuid(contact) ? contact.toLowerCase() : normalizeAddress(contact)}`
}

/**
 * Locks the contacts and returns them by `nameOf`. Locks in the order of their addresses, as all statements that lock
 * several contacts do. The lock allows inserts of rows that refer to a contact, such as members of a segment. With
 * `skip locked`, a contact that another transaction has locked is `isLocked`.
 */
async function holdContacts(
  tx: Tx,
  changes: ContactChange[],
  ofLocked: RawBuilder<unknown>,
): Promise<Map<string, Held | typeof isLocked>> {
  // PostgreSQL checks a row again after waiting for its lock. With ids from a `union all`, some plans then lose a row
  // that matches.
  const named = [...namedById(changes), ...(await namedByAddress(tx, changes))]
  const { rows } = await sql<Held>`
    select team_id, id, email, email_key, ${textColumnList}, unsubscribed, properties, created_at, updated_at,
      false as "hasNewProperties"
    from contacts
    where (team_id, id) in (select * from ${rowsOf(named, { teamId: 'uuid', id: 'uuid' }).as('named')})
    order by team_id, email_key for no key update ${ofLocked}
  `.execute(tx.db)
  const contacts = new Map<string, Held | typeof isLocked>()
  for (const held of rows) for (const name of namesOf(held)) contacts.set(name, held)
  const left = named.filter(({ teamId, id }) => !contacts.has(`${teamId} ${id}`))
  const locked = left.length === 0 ? [] : await findExisting(tx, left)
  for (const contact of locked) for (const name of namesOf(contact)) contacts.set(name, isLocked)
  return contacts
}

type Names = { team_id: string; id: string; email_key: string }

function namesOf({ team_id, id, email_key }: Names): string[] {
  return [`${team_id} ${id}`, `${team_id} ${email_key}`]
}

async function findExisting(tx: Tx, named: Named[]): Promise<Names[]> {
  const { rows } = await sql<Names>`
    select contacts.team_id, contacts.id, email_key from ${rowsOf(named, { teamId: 'uuid', id: 'uuid' }).as('named')}
    join contacts on contacts.team_id = named.team_id and contacts.id = named.id
  `.execute(tx.db)
  return rows
}

type Named = { teamId: string; id: string }

function namedById(changes: ContactChange[]): Named[] {
  return changes.flatMap(({ teamId, contact }) => (isUuid(contact) ? { teamId, id: contact.toLowerCase() } : []))
}

async function namedByAddress(tx: Tx, changes: ContactChange[]): Promise<Named[]> {
  const wanted = changes.flatMap(({ teamId, contact }) =>
    isUuid(contact) ? [] : { teamId, emailKey: normalizeAddress(contact) },
  )
  if (wanted.length === 0) return []
  const { rows } = await sql<Named>`
    select team_id as "teamId", id from ${rowsOf(wanted, { teamId: 'uuid', emailKey: 'text' }).as('wanted')}
    join contacts using (team_id, email_key)
  `.execute(tx.db)
  return rows
}

function rowOf(held: Held): ContactRow {
  const { id, email, unsubscribed, properties, created_at: createdAt, updated_at: updatedAt } = held
  const texts = eachText((name) => held[textFields[name].column])
  return { id, email, ...texts, unsubscribed, properties, createdAt, updatedAt }
}

function writeAll(tx: Tx, contacts: Held[]): void {
  if (contacts.length === 0) return
  const rows = contacts.map(({ hasNewProperties, properties, ...held }) => {
    return { ...held, properties: hasNewProperties ? JSON.stringify(properties) : null }
  })
  const columns = { team_id: 'uuid', id: 'uuid', ...textTypes, unsubscribed: 'bool', properties: 'jsonb' } as const
  void tx.send(sql`
    update contacts set ${textsFromNew}, unsubscribed = new.unsubscribed,
      properties = coalesce(new.properties, contacts.properties), updated_at = ${tx.now}
    from ${rowsOf(rows, columns).as('new')}
    where contacts.team_id = new.team_id and contacts.id = new.id
  `)
}
