import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Caller } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { teamsReadBy } from '../platform/mode/mode.ts'
import { createWebhook } from '../webhooks/create.ts'
import { deleteWebhook } from '../webhooks/delete.ts'
import { listAttempts } from '../webhooks/deliveries/attempts.ts'
import { getDelivery } from '../webhooks/deliveries/get.ts'
import { listDeliveries } from '../webhooks/deliveries/list.ts'
import { replayDelivery } from '../webhooks/deliveries/replay.ts'
import { eventTypes } from '../webhooks/event-types.ts'
import { findWebhook, listWebhooksOfTeam } from '../webhooks/queries.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { webhookShownTo } from '../webhooks/shown.ts'
import { updateWebhook } from '../webhooks/update.ts'
import { listOf, type PageQuery, pageOfAll, readTheirPage } from './pages.ts'
import { iso } from './times.ts'

const Endpoint = Text({ minLength: 1, maxLength: 2000 })
const Events = Type.Array(TextEnum(...eventTypes), { minItems: 1, maxItems: 100 })

export const NewWebhookBody = Strict({ endpoint: Endpoint, events: Events })
export const WebhookChangesBody = Strict(
  {
    endpoint: Type.Optional(Endpoint),
    events: Type.Optional(Events),
    status: Type.Optional(TextEnum('enabled', 'disabled')),
  },
  { minProperties: 1 },
)

/** Their changes as ours. */
function changesOf({ endpoint, events, status }: Static<typeof WebhookChangesBody>) {
  return {
    ...(endpoint !== undefined && { endpointUrl: endpoint }),
    ...(events && { events }),
    ...(status && { status: status === 'enabled' ? ('active' as const) : ('inactive' as const) }),
  }
}

type OurWebhook = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

function theirWebhook({ id, endpointUrl, events, status, createdAt }: OurWebhook) {
  const shown = status === 'active' ? 'enabled' : 'disabled'
  return { id, endpoint: endpointUrl, events, status: shown, created_at: iso(createdAt) }
}

/** Webhooks that are made here deliver Resend's payload. */
export async function createTheirWebhook(
  app: App,
  { teamId }: Caller,
  { body }: { body: Static<typeof NewWebhookBody> },
) {
  const { endpoint: endpointUrl, events } = body
  const { id, signingSecret } = await createWebhook(app, teamId, { endpointUrl, events }, 'resend')
  return { object: 'webhook', id, signing_secret: signingSecret }
}

export async function listTheirWebhooks(app: App, caller: Caller, { query }: { query: PageQuery }) {
  const { teamId } = caller
  const ids = sql`select id from webhooks where team_id = any(${teamsReadBy(teamId)}::uuid[])`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listWebhooksOfTeam(app, teamId, ours))
  return listOf(
    data.map((webhook) => theirWebhook(webhookShownTo(caller, webhook))),
    hasMore,
  )
}

export async function getTheirWebhook(app: App, caller: Caller, { id }: { id: string }) {
  const webhook = await orNotFound('webhook', findWebhook(app.db, caller.teamId, id))
  return { object: 'webhook', ...theirWebhook(webhookShownTo(caller, webhook)) }
}

export async function updateTheirWebhook(
  app: App,
  { teamId }: Caller,
  { id, body }: { id: string; body: Static<typeof WebhookChangesBody> },
) {
  await updateWebhook(app, teamId, id, changesOf(body))
  return { object: 'webhook', id }
}

export async function deleteTheirWebhook(app: App, { teamId }: Caller, { id }: { id: string }) {
  return { object: 'webhook', ...(await deleteWebhook(app, teamId, id)) }
}

export async function rotateTheirSecret(app: App, { teamId }: Caller, { id }: { id: string }) {
  return { object: 'webhook', id, signing_secret: (await rotateSecret(app, teamId, id)).signingSecret }
}

type OurDelivery = Pick<
  Awaited<ReturnType<typeof getDelivery>>,
  'id' | 'eventType' | 'status' | 'attempts' | 'createdAt'
>

/** Our delivery as their event. One that failed and waits for its next attempt is being attempted. */
function theirEvent({ id, eventType, status, attempts, createdAt }: OurDelivery) {
  const pending = attempts > 0 ? 'attempting' : 'pending'
  const shown = { delivered: 'success', failed: 'failed', pending }[status]
  return { id, type: eventType, created_at: iso(createdAt), status: shown }
}

export async function listTheirEvents(app: App, { teamId }: Caller, { id, query }: { id: string; query: PageQuery }) {
  await orNotFound('webhook', findWebhook(app.db, teamId, id))
  const ids = sql`select id from webhook_deliveries where team_id = ${teamId} and webhook_id = ${id}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listDeliveries(app, teamId, id, ours))
  return listOf(data.map(theirEvent), hasMore)
}

export async function getTheirEvent(
  app: App,
  { teamId }: Caller,
  { id, innerId: eventId }: { id: string; innerId: string },
) {
  const delivery = await getDelivery(app, teamId, id, eventId)
  const next = { next_attempt_at: iso(delivery.nextRetryAt), payload: delivery.payload }
  return { object: 'webhook_event', ...theirEvent(delivery), ...next }
}

export async function replayTheirEvent(
  app: App,
  { teamId }: Caller,
  { id, innerId: eventId }: { id: string; innerId: string },
) {
  return { object: 'webhook_event', id: (await replayDelivery(app, teamId, id, eventId)).id }
}

/** A delivery has six attempts at most, which are read at once. Their ids are made from their numbers. */
export async function listTheirAttempts(
  app: App,
  { teamId }: Caller,
  { id, innerId: eventId, query }: { id: string; innerId: string; query: PageQuery },
) {
  const { data } = await listAttempts(app, teamId, id, eventId, {})
  const shown = data.map(({ at, statusCode, body, error }, index) => ({
    ...{ id: `${eventId.slice(0, -1).toLowerCase()}${data.length - index}`, http_status_code: statusCode ?? 0 },
    ...{ response: body ?? error ?? '', sent_at: iso(at) },
  }))
  const page = pageOfAll(shown, query)
  return listOf(page.data, page.hasMore)
}
