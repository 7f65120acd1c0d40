import type { App } from '../context.ts'
import { isUuid } from '../platform/ids.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { type CredentialSecret, openSecret } from './secret.ts'

export const credentialColumns = ['id', 'name', 'type', 'created_at as createdAt'] as const

/** Newest first. */
export function listCredentialsOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('credentials').select(credentialColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'credentials', teamId }, query, rows)
}

/** For whoever makes a request with it; undefined for what the team does not have, an `id` that is no UUID included. */
export async function findCredentialSecret(
  { db, keyring }: Pick<App, 'db' | 'keyring'>,
  teamId: string,
  id: string,
): Promise<CredentialSecret | undefined> {
  if (!isUuid(id)) return undefined
  const found = await db
    .selectFrom('credentials')
    .select(['type', 'secret'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found && openSecret(keyring, { id, type: found.type, sealed: found.secret })
}
