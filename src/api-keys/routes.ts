import { type Route, route } from '../platform/http/route.ts'
import { Deleted, IdParams, ListQuery } from '../platform/http/schema.ts'
import { createApiKey } from './create.ts'
import { deleteApiKey } from './delete.ts'
import { getApiKey } from './get.ts'
import { listApiKeys } from './list.ts'
import { ApiKey, ApiKeyChanges, ApiKeyList, CreatedApiKey, NewApiKey } from './schema.ts'
import { updateApiKey } from './update.ts'

const tag = 'API keys'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/api-keys',
    access: 'full',
    tag,
    summary: 'Create an API key',
    description:
      'The full `key` is in this answer and nowhere else. With `domainId` it sends email from that domain only.',
    body: NewApiKey,
    response: CreatedApiKey,
    refusals: ['unprocessable'],
    handle: ({ app, caller, body: { name, permission = 'sending_access', domainId = null } }) =>
      createApiKey(app, caller.teamId, { name, permission, domainId }),
  }),
  route({
    method: 'GET',
    path: '/v1/api-keys',
    access: 'full',
    tag,
    summary: 'List API keys',
    description: 'Newest first, without the full keys.',
    query: ListQuery,
    response: ApiKeyList,
    handle: ({ app, caller, query }) => listApiKeys(app, caller.teamId, query),
  }),
  route({
    method: 'GET',
    path: '/v1/api-keys/:id',
    access: 'full',
    tag,
    summary: 'Get an API key',
    params: IdParams,
    response: ApiKey,
    refusals: ['notFound'],
    handle: ({ app, caller, params }) => getApiKey(app, caller.teamId, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/v1/api-keys/:id',
    access: 'full',
    tag,
    summary: 'Rename an API key or change its permission',
    description: 'A changed permission holds from the next request on.',
    params: IdParams,
    body: ApiKeyChanges,
    response: ApiKey,
    refusals: ['notFound'],
    handle: ({ app, caller, params, body }) => updateApiKey(app, caller.teamId, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/v1/api-keys/:id',
    access: 'full',
    tag,
    summary: 'Revoke an API key',
    description: 'Requests with the key are refused from now on. This cannot be undone.',
    params: IdParams,
    response: Deleted,
    refusals: ['notFound'],
    handle: ({ app, caller, params }) => deleteApiKey(app, caller.teamId, params.id),
  }),
]
