import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { type RequestKey, type StoredResponse, storeResponses } from '../../../platform/idempotency/keys.ts'
import { deleteJobs } from '../../../platform/jobs/claim.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import { applyStatuses, type StatusFact } from '../facts/consequences.ts'
import { lockForRecording, takeStatuses } from '../facts/early.ts'
import { failureText } from '../facts/failure-text.ts'
import { sendKind } from './deliver-kind.ts'

export type Settled = Exclude<WhatsappAnswer, { kind: 'unavailable' }>

export type Handed = {
  teamId: string
  messageId: string
  answer: Settled
  at: Date
  /** What the request that sent it is answered, stored with the same commit. */
  response: { key: RequestKey; response: StoredResponse } | null
}

/**
 * Records what the provider answered, and removes the job, in one commit shared with all others that end meanwhile. Not fenced
 * by the job's lease: only who marked a message called the provider, so there is one answer, and it is worth more than the
 * `outcome_unknown` of a worker that took over.
 */
export const recordAnswer: (app: App, handed: Handed) => Promise<void> = gatheredFor(
  (app, batch) => app.transaction((tx) => recordAll(tx, batch)),
  { itemsMax: 200, flushesMax: 1 },
)

async function recordAll(tx: Tx, batch: Handed[]): Promise<undefined[]> {
  await lockForRecording(tx)
  const facts = batch.flatMap(factOf)
  const early = await findEarly(tx, facts)
  await applyStatuses(tx, [...facts, ...early])
  await recordUnknown(
    tx,
    batch.flatMap(({ answer, ...message }) =>
      answer.kind === 'unknown' ? [{ ...message, reason: answer.message }] : [],
    ),
  )
  const ids = batch.map(({ messageId }) => messageId)
  await deleteJobs(tx, sendKind, ids)
  await storeResponses(
    tx,
    batch.flatMap(({ response }) => response ?? []),
  )
  return batch.map(() => undefined)
}

function factOf({ teamId, messageId, answer, at }: Handed): StatusFact[] {
  const message = { teamId, messageId, at }
  if (answer.kind === 'accepted') {
    const { providerMessageId, data } = answer
    return [{ ...message, status: 'sent', providerMessageId, data, error: null }]
  }
  if (answer.kind === 'unknown') return []
  const data = answer.data ?? { message: answer.message }
  return [{ ...message, status: 'failed', providerMessageId: null, data, error: answer.message }]
}

async function findEarly(tx: Tx, facts: StatusFact[]): Promise<StatusFact[]> {
  const byProviderId = new Map(facts.map((fact) => [fact.providerMessageId, fact]))
  const kept = await takeStatuses(
    tx,
    facts.flatMap(({ providerMessageId }) => providerMessageId ?? []),
  )
  return kept.map(({ providerMessageId, status, data }) => {
    const error = status === 'failed' ? failureText(data) : null
    return { ...byProviderId.get(providerMessageId)!, status, data, error }
  })
}

type Unknown = { teamId: string; messageId: string; at: Date; reason: string }

/** Where a status has come since, the outcome is known. */
export async function recordUnknown(tx: Tx, unknown: Unknown[]): Promise<void> {
  const events = unknown.map(({ teamId, messageId, at, reason }) => {
    return { team_id: teamId, message_id: messageId, id: tx.newId(), data: { message: reason }, created_at: at }
  })
  if (events.length === 0) return
  await sql`
    insert into whatsapp_events (team_id, message_id, type, id, data, created_at)
    select event.team_id, event.message_id, 'outcome_unknown', event.id, event.data, event.created_at
    from json_populate_recordset(null::whatsapp_events, ${JSON.stringify(events)}::json) as event
    join whatsapp_messages as message on message.team_id = event.team_id and message.id = event.message_id
    where message.status = 'accepted'
    on conflict (team_id, message_id, type) do nothing
  `.execute(tx.db)
}
