import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
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
 * Writes an audit entry in the transaction of the change. The actor is the caller of the request. Never pass a secret or the
 * body of a message in `changes`.
 */
export async function recordChange(tx: Tx, { teamId, action, target, changes = {}, actor }: Change): Promise<void> {
  const { type, id, name, address, requestId } = actor ?? currentActor()
  await tx.db
    .insertInto('audit_entries')
    .values({
      ...{ team_id: teamId, id: tx.newId(), at: tx.now, actor_type: type, actor_id: id },
      actor_name: name ?? nameOf(type, id),
      ...{ action, target_type: target.type, target_id: target.id, target_name: target.name ?? null },
      ...{ changes: JSON.stringify(changes), address, request_id: requestId },
    })
    .execute()
}

/** Returns the fields that differ, as `changes`. Only the fields of `after` are compared. */
export function changesBetween<T extends object>(before: T, after: Partial<T>): Changes {
  const names = Object.keys(after) as (keyof T & string)[]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]))
}

function nameOf(type: Actor['type'], id: string | null) {
  return type === 'user'
    ? sql<string>`coalesce((select coalesce(name, email) from users where id = ${id}), '')`
    : sql<string>`coalesce((select name from api_keys where id = ${id} limit 1), '')`
}
