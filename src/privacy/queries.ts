import type { Db } from '../context.ts'

export const privacyRequestColumns = [
  ...(['id', 'type', 'status'] as const),
  'created_at as createdAt',
  'finished_at as finishedAt',
  'counts',
] as const

export function findPrivacyRequest(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('privacy_requests')
    .select(privacyRequestColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}
