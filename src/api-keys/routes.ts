import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { developers } from '../teams/roles/roles.ts'
import { createApiKey } from './create.ts'
import { deleteApiKey } from './delete.ts'
import { listApiKeys } from './list.ts'
import { findApiKey } from './queries.ts'
import { ApiKey, ApiKeyChanges, ApiKeyList, CreatedApiKey, NewApiKey } from './schema.ts'
import { updateApiKey } from './update.ts'

const route = routesOf(
  { access: 'full', inTest: 'walled', tag: 'API keys' },
  { roles: developers, changes: 'api-keys' },
)

export const apiKeyRoutes: Route[] = [
  route('POST /v1/api-keys', 'createApiKey', {
    asksAgain: 'for a `full_access` key',
    summary: 'Create an API key',
    description:
      'The full `key` is shown only in this answer. With `domainId` it sends email from that domain only; with ' +
      '`expiresAt` it is refused from then on. With `mode: "test"` it begins with `ph_test_`, and every channel captures ' +
      'what it sends: nothing leaves, nothing counts against limits, credit or spend, and live keys do not see it. ' +
      'A key can only create keys with no more rights than its own, of test mode if it is a test key, for its own ' +
      'domain and until its own expiry: more is 403.',
    body: NewApiKey,
    response: CreatedApiKey,
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({
      app,
      caller,
      body: { name, permission = 'sending_access', mode = 'live', domainId = null, expiresAt = null },
    }) => createApiKey(app, caller, { name, permission, mode, domainId, expiresAt }),
  }),
  route('GET /v1/api-keys', 'listApiKeys', {
    summary: 'List API keys',
    description:
      'The keys of the team, newest first, without the full keys. A key with a domain sees the keys of that domain, and a test key sees test keys.',
    query: ListQuery,
    response: ApiKeyList,
    handle: ({ app, caller, query }) => listApiKeys(app, caller, query),
  }),
  route('GET /v1/api-keys/:id', 'getApiKey', {
    summary: 'Get an API key',
    response: ApiKey,
    handle: ({ app, caller, params }) => orNotFound('API key', findApiKey(app.db, caller, params.id)),
  }),
  route('PATCH /v1/api-keys/:id', 'updateApiKey', {
    asksAgain: 'for the permission or expiry of a `full_access` key, and to make the key one',
    summary: 'Rename an API key, or change its permission or expiry',
    description:
      'A changed permission or expiry applies from the next request. A key cannot give another one, or itself, more rights ' +
      'than it is: 403. Among signed-in users, owners and admins lower `full_access` keys.',
    body: ApiKeyChanges,
    response: ApiKey,
    handle: ({ app, caller, params, body }) => updateApiKey(app, caller, params.id, body),
  }),
  route('DELETE /v1/api-keys/:id', 'deleteApiKey', {
    asksAgain: 'for a `full_access` key',
    summary: 'Revoke an API key',
    description:
      'Requests with the key are refused from now on. This cannot be undone. Among signed-in users, owners and admins revoke ' +
      '`full_access` keys. Keys that it made stay: `createdBy` in the list tells which they are.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteApiKey(app, caller, params.id),
  }),
]
