import Type from 'typebox'
import { createApiKey } from '../api-keys/create.ts'
import { listApiKeys } from '../api-keys/list.ts'
import { updateApiKey } from '../api-keys/update.ts'
import type { Route } from '../platform/http/route.ts'
import { Name, Strict, TextEnum } from '../platform/http/schema/schema.ts'
import { theirFields } from './names.ts'
import { like, lists, rowsOf } from './route-like.ts'

const ApiKeyChanges = Strict({ name: Name({ maxLength: 50 }) })
const NewApiKey = Strict({
  name: Name({ maxLength: 50 }),
  permission: Type.Optional(TextEnum('full_access', 'sending_access')),
  domain_id: Type.Optional(Type.String({ format: 'uuid' })),
})

type Listed = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }

function theirKey(key: Listed) {
  return theirFields(key, 'id', 'name', 'createdAt', 'lastUsedAt')
}

const { shows, does } = rowsOf('api_key')

export const theirApiKeyRoutes: Route[] = [
  like('createApiKey', 'POST /api-keys', NewApiKey, async ({ app, caller, body }) => {
    const { name, permission = 'full_access', domain_id: domainId = null } = body
    // A key of the mode of its maker, which is all that a test key may make.
    const wanted = { name, permission, mode: caller.mode, domainId, expiresAt: null }
    const { id, key } = await createApiKey(app, caller, wanted)
    return { id, token: key }
  }),
  lists('listApiKeys', '/api-keys', theirKey, ({ app, caller, query }) => listApiKeys(app, caller, query)),
  does('updateApiKey', 'PATCH /api-keys/:id', ApiKeyChanges, ({ app, caller, id, body }) =>
    updateApiKey(app, caller, id, body),
  ),
  shows('deleteApiKey', 'DELETE /api-keys/:id'),
]
