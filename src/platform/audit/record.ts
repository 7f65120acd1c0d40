import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { isTestTeam, liveTeamOf } from '../mode/mode.ts'
import { firstCharacters } from '../text/cut.ts'
import { type Actor, currentActor } from './actor.ts'
import type { Changes } from './table.ts'

export type Change = {
  teamId: string
  /** `<noun>.<past verb>`, such as `member.role_changed`. */
  action: `${string}.${string}`
  target: { type: string; id: string; name?: string | null }
  changes?: Changes
  /** In place of the present actor: for public routes that find out who acts, such as a login. */
  actor?: Actor
}

/**
 * Writes an audit entry in the transaction of the change. The actor is the caller of the request. Never pass a secret
 * or the body of a message in `changes`. Changes in test mode are not recorded, except by `recordUnblocking`: they
 * change nothing that anybody gets.
 */
export async function recordChange(tx: Tx, { teamId, action, target, changes = {}, actor }: Change): Promise<void> {
  if (isTestTeam(teamId)) return
  const { type, id, name, address, requestId } = actor ?? currentActor()
  const targetName = target.name ?? null
  await tx.db
    .insertInto('audit_entries')
    .values({
      ...{ team_id: teamId, id: tx.newId(), at: tx.now, actor_type: type, actor_id: id },
      actor_name: name === null ? nameOf(teamId, type, id) : shortName(name),
      ...{ action, target_type: target.type, target_id: target.id, target_name: targetName && shortName(targetName) },
      ...{ changes: JSON.stringify(changes), address, request_id: requestId },
    })
    .execute()
}

/**
 * Writes an audit entry of the end of a suppression or an opt-out. In test mode it is written too, into the log of the
 * team and with the mode, because what a person said is not taken back without a trace.
 */
export function recordUnblocking(
  tx: Tx,
  { teamId, reason, ...change }: Omit<Change, 'changes'> & { reason: string },
): Promise<void> {
  const changes = {
    reason: { from: reason, to: null },
    ...(isTestTeam(teamId) && { mode: { from: 'test', to: null } }),
  }
  return recordChange(tx, { ...change, teamId: liveTeamOf(teamId), changes })
}

/**
 * Returns the fields that differ, as `changes`. Only the fields of `after` are compared. A hidden field, which holds a
 * secret or the content of messages, is named with `***` in place of its values.
 */
export function changesBetween<T extends object>(
  before: T,
  after: Partial<T>,
  hidden: readonly (keyof T & string)[] = [],
): Changes {
  const names = Object.keys(after) as (keyof T & string)[]
  const changed = names.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))
  const shown = (name: keyof T & string, row: Partial<T>) => (hidden.includes(name) ? '***' : (row[name] ?? null))
  return Object.fromEntries(changed.map((name) => [name, { from: shown(name, before), to: shown(name, after) }]))
}

/** Returns the fields of something new, as `changes`: each from null. Fields that are null are left out. */
export function newValues(fields: object): Changes {
  return changesBetween<Record<string, unknown>>({}, fields as Record<string, unknown>)
}

/**
 * Writes an audit entry of the fields that differ, as `changesBetween` finds them. Writes none if they are the same.
 */
export async function recordUpdate<T extends object>(
  tx: Tx,
  change: Omit<Change, 'changes'>,
  before: T,
  after: Partial<T>,
  hidden: readonly (keyof T & string)[] = [],
): Promise<void> {
  const changes = changesBetween(before, after, hidden)
  if (Object.keys(changes).length > 0) await recordChange(tx, { ...change, changes })
}

/** An index holds the names, and takes 2,704 bytes at most. */
const nameMax = 320

function shortName(name: string): string {
  return name.length <= nameMax ? name : firstCharacters(name, nameMax)
}

function nameOf(teamId: string, type: Actor['type'], id: string | null) {
  return type === 'user'
    ? sql<string>`coalesce((select left(coalesce(name, email), ${nameMax}) from users where id = ${id}), '')`
    : sql<string>`coalesce((select name from api_keys where team_id = ${teamId} and id = ${id}), '')`
}
