import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { developers } from '../teams/roles/roles.ts'
import { createCredential } from './create.ts'
import { deleteCredential } from './delete.ts'
import { listCredentialsOfTeam } from './queries.ts'
import { Credential, CredentialList, NewCredential } from './schema.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'Credentials' },
  { roles: developers, changes: 'credentials' },
)

export const credentialRoutes: Route[] = [
  route('POST /v1/credentials', 'createCredential', {
    summary: 'Create a credential',
    description:
      'Authenticates `http_request` nodes of workflows. The secret is encrypted and never shown again. To change it, create another credential.',
    body: NewCredential,
    response: Credential,
    refusals: ['conflict'],
    handle: ({ app, caller, body }) => createCredential(app, caller.teamId, body),
  }),
  route('GET /v1/credentials', 'listCredentials', {
    summary: 'List credentials',
    description: 'Newest first, without their secrets.',
    query: ListQuery,
    response: CredentialList,
    handle: ({ app, caller, query }) => listCredentialsOfTeam(app, caller.teamId, query),
  }),
  route('DELETE /v1/credentials/:id', 'deleteCredential', {
    summary: 'Delete a credential',
    description: 'Also deletes one in use: nodes that name it then fail after their retries.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteCredential(app, caller.teamId, params.id),
  }),
]
