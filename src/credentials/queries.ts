import type { App } from '../context.ts'
import { isUuid } from '../platform/ids.ts'
import { teamsReadBy } from '../platform/mode/mode.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { type CredentialSecret, openSecret } from './secret.ts'

export const credentialColumns = [
  'id',
  'name',
  'type',
  'allowed_hosts as allowedHosts',
  'created_at as createdAt',
] as const

/** Lists a page of credentials, newest first. */
export async function listCredentialsOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('credentials').select(credentialColumns).where('team_id', '=', teamId)
  const { data, ...page } = await readPage(app, { list: 'credentials', teamId }, query, rows)
  return { data: data.map(shownCredential), ...page }
}

/** Leaves `allowedHosts` out of a credential that may be sent to any host. */
export function shownCredential<Row extends { allowedHosts: string[] | null }>({ allowedHosts, ...row }: Row) {
  return allowedHosts === null ? row : { ...row, allowedHosts }
}

/** `allowedHosts` is null if the credential may be sent to any host. */
type UsableCredential = CredentialSecret & { allowedHosts: string[] | null }

/**
 * Finds a credential with its secret, in test mode also one of the live team, whose workflows test keys run. Undefined
 * if the team does not have it, or the `id` is not a UUID.
 */
export async function findCredentialSecret(
  { db, keyring }: Pick<App, 'db' | 'keyring'>,
  teamId: string,
  id: string,
): Promise<UsableCredential | undefined> {
  if (!isUuid(id)) return undefined
  const found = await db
    .selectFrom('credentials')
    .select(['type', 'secret', 'allowed_hosts'])
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamsReadBy(teamId))))
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    found && {
      ...openSecret(keyring, { id, type: found.type, sealed: found.secret }),
      allowedHosts: found.allowed_hosts,
    }
  )
}
