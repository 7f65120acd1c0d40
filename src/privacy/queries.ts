import type { Db } from '../context.ts'

/** Finds a request. Undefined if the team has none with this id. */
export function findPrivacyRequest(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('privacy_requests')
    .select(['id', 'type', 'status', 'created_at as createdAt', 'finished_at as finishedAt', 'counts'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}
