import type { Db, Tx } from '../context.ts'
import { type DomainError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { modeColumn, teamsReadBy } from '../platform/mode/mode.ts'
import { notInTest, withTestMark } from '../platform/mode/other-mode.ts'

export const templateColumns = [
  'id',
  'name',
  'html',
  'text',
  'status',
  modeColumn,
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** The templates that a caller reads: in test mode also the published ones of the live team. */
export function templatesReadBy(db: Db, teamId: string) {
  return db
    .selectFrom('templates')
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamsReadBy(teamId))))
    .where((eb) => eb.or([eb('team_id', '=', teamId), eb('status', '=', 'published')]))
}

/**
 * Undefined if the caller reads no such template. `id` may be any text, because a request to send names a template by
 * it.
 */
export async function findTemplate(db: Db, teamId: string, id: string) {
  if (!isUuid(id)) return undefined
  const template = await templatesReadBy(db, teamId).select(templateColumns).where('id', '=', id).executeTakeFirst()
  return template && withTestMark(template)
}

/**
 * Finds a template and locks it against other changes until the transaction ends. The fields and their order are those
 * of `findTemplate`, because the version of a template is a hash of its JSON.
 */
export async function lockTemplate(tx: Tx, teamId: string, id: string) {
  const template = await tx.db
    .selectFrom('templates')
    .select(templateColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return template && withTestMark(template)
}

/** Returns the refusal to change a template that the team does not have in this mode. */
export async function notOwnTemplate(db: Db, teamId: string, id: string): Promise<DomainError> {
  const noun = 'template'
  return (await findTemplate(db, teamId, id)) ? notInTest({ noun, may: 'read and sent' }) : notFound(noun)
}
