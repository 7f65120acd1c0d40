import Type from 'typebox'
import { type Route, route } from '../../platform/http/route.ts'
import { Resource, Strict, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'
import { receiveTrigger } from './receive-webhook.ts'

export const triggerRoutes: Route[] = [
  route('POST /v1/workflows/triggers/:publicKey', 'triggerWorkflow', {
    sdk: 'workflows.trigger',
    access: 'public',
    tag: 'Workflows',
    summary: 'Trigger a workflow by its URL',
    description:
      'For active workflows with the trigger `webhook_received`. The URL is the `triggerUrl` of the workflow and a secret: it is all that is needed to call it. Headers, query and body become the execution’s trigger data, without `Authorization` and `Cookie`. A repeat with the same `Idempotency-Key` is answered with the execution that the first request started, whatever the body, as long as that execution exists.',
    params: Strict({
      publicKey: Type.String({
        maxLength: 500,
        description: 'The `triggerKey` of the workflow.',
        examples: ['awPFuz1p…'],
      }),
    }),
    anyQuery: true,
    takes: 'data',
    body: Type.Unknown({
      description: 'Any JSON; or a form, whose repeated names have the list of their values.',
      examples: [{ order: 4711 }],
    }),
    bodyOptional: true,
    response: Resource('TriggeredExecution', {
      executionId: Uuid,
      status: TextEnum('running', 'completed', 'failed', 'cancelled', 'waiting'),
    }),
    idempotent:
      'A key that was used for the workflow returns the execution that it started, whatever the body, for as long as that execution exists.',
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, params, idempotencyKey, request }) =>
      receiveTrigger(app, params.publicKey, idempotencyKey, request),
  }),
]
