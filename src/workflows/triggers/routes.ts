import Type from 'typebox'
import { type Route, route } from '../../platform/http/route.ts'
import { Strict, TextEnum, Uuid } from '../../platform/http/schema.ts'
import { receiveTrigger } from './webhook/receive.ts'

export const triggerRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/workflows/triggers/:publicKey',
    access: 'public',
    tag: 'Workflows',
    summary: 'Trigger a workflow by its URL',
    description:
      'For active workflows whose trigger is `webhook_received`; the URL is their `triggerUrl`, and whoever knows it may call it. Headers, query and body become the execution’s trigger data; `Authorization` and `Cookie` are left out. Known by its `Idempotency-Key`, a request answers with the execution that it started the first time, whatever the body, as long as that is there.',
    params: Strict({ publicKey: Type.String({ maxLength: 500, description: 'The `triggerKey` of the workflow.' }) }),
    anyQuery: true,
    body: Type.Unknown({ description: 'Any JSON.', examples: [{ order: 4711 }] }),
    bodyOptional: true,
    response: Type.Object({
      executionId: Uuid,
      status: TextEnum('running', 'completed', 'failed', 'cancelled', 'waiting'),
    }),
    idempotent:
      'A key that the workflow has seen gives the execution that it started, whatever the body, for as long as that execution exists.',
    refusals: ['notFound', 'conflict', 'unprocessable'],
    handle: ({ app, params, idempotencyKey, request }) =>
      receiveTrigger(app, params.publicKey, idempotencyKey, request),
  }),
]
