import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { createApiKey } from '../api-keys/create.ts'
import { deleteApiKey } from '../api-keys/delete.ts'
import { listApiKeys } from '../api-keys/list.ts'
import { isVisible } from '../api-keys/queries.ts'
import { updateApiKey } from '../api-keys/update.ts'
import type { App, Caller } from '../context.ts'
import { Name, Strict, TextEnum } from '../platform/http/schema/schema.ts'
import { listOf, type PageQuery, readTheirPage } from './pages.ts'
import { iso } from './times.ts'

export const NewApiKeyBody = Strict({
  name: Name({ maxLength: 50 }),
  permission: Type.Optional(TextEnum('full_access', 'sending_access')),
  domain_id: Type.Optional(Type.String({ format: 'uuid' })),
})
export const ApiKeyChangesBody = Strict({ name: Name({ maxLength: 50 }) })

/** Their key as ours. A key of the mode of its maker, which is all that a test key may make. */
function keyOf({ name, permission = 'full_access', domain_id }: Static<typeof NewApiKeyBody>, { mode }: Caller) {
  return { name, permission, mode, domainId: domain_id ?? null, expiresAt: null }
}

type Listed = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }

function theirKey({ id, name, createdAt, lastUsedAt }: Listed) {
  return { id, name, created_at: iso(createdAt), last_used_at: iso(lastUsedAt) }
}

export async function createTheirApiKey(app: App, caller: Caller, { body }: { body: Static<typeof NewApiKeyBody> }) {
  const { id, key } = await createApiKey(app, caller, keyOf(body, caller))
  return { id, token: key }
}

export async function listTheirApiKeys(app: App, caller: Caller, { query }: { query: PageQuery }) {
  const ids = sql`select id from api_keys where ${isVisible(caller)}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listApiKeys(app, caller, ours))
  return listOf(data.map(theirKey), hasMore)
}

export async function updateTheirApiKey(
  app: App,
  caller: Caller,
  { id, body }: { id: string; body: { name: string } },
) {
  await updateApiKey(app, caller, id, body)
  return { object: 'api_key', id }
}

export async function deleteTheirApiKey(app: App, caller: Caller, { id }: { id: string }) {
  return { object: 'api_key', ...(await deleteApiKey(app, caller, id)) }
}
