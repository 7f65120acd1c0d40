import Type, { type Static } from 'typebox'
import {
  IdOf,
  ListQueryOf,
  Nullable,
  Page,
  Resource,
  Strict,
  Text,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { TimeRange } from '../platform/http/schema/time-range.ts'

export const RequestQuery = ListQueryOf({
  status: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 599, description: 'The exact status.', examples: [422] }),
  ),
  path: Type.Optional(
    Text({ minLength: 1, maxLength: 500, description: 'The exact path, without a query.', examples: ['/v1/emails'] }),
  ),
  apiKeyId: Type.Optional(IdOf('the API key that made them')),
  ...TimeRange,
})
export type RequestQuery = Static<typeof RequestQuery>

export const RequestParams = Strict({ requestId: IdOf('the request, its `X-Request-Id`') })

export const LoggedRequest = Resource('LoggedRequest', {
  requestId: Uuid,
  at: Timestamp,
  method: TextEnum('GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT', 'OPTIONS'),
  path: Type.String({ description: 'Without the query; 500 characters at most.', examples: ['/v1/emails'] }),
  status: Type.Integer({ examples: [200] }),
  durationMs: Type.Integer({ description: 'Until the answer was handed over.', examples: [12] }),
  apiKeyId: Nullable(Uuid),
  userId: Nullable(Uuid),
  address: Type.String({ description: 'The address of the client.', examples: ['192.0.2.1'] }),
  errorName: Nullable(
    Type.String({ description: 'The `name` of a refusal; null for a success.', examples: ['validation_error'] }),
  ),
})

export const RequestPage = Page(LoggedRequest)
