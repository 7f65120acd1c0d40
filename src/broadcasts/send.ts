import type { App, Caller, Tx } from '../context.ts'
import { findSendingDomain } from '../domains/queries.ts'
import { refuseForeignSender, unverifiedDomain } from '../emails/messages/accept/refuse.ts'
import { noteCaused } from '../platform/cause/note.ts'
import { conflict } from '../platform/errors.ts'
import { answerOnce } from '../platform/idempotency/answer-once.ts'
import { insertRequestKeys, type RequestKey, requestKey, storeResponses } from '../platform/idempotency/keys.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import { lockSegment } from '../segments/group.ts'
import { refuseUnverifiedTeam } from '../teams/refuse-unverified.ts'
import { lockTopic } from '../topics/group.ts'
import { getBroadcast } from './get.ts'
import { dispatchBroadcastJob } from './jobs.ts'
import { checkFields } from './parse.ts'
import {
  type BroadcastRow,
  findBroadcast,
  lockBroadcast,
  teamsReachedByBroadcast,
  updateBroadcastRow,
} from './queries.ts'
import type { Broadcast, BroadcastChanges } from './schema.ts'

const endpoint = 'POST /v1/broadcasts/{id}/send'

/**
 * Queues a draft, or schedules it if its `scheduledAt` is in the future. A time that is given replaces that of the
 * draft; null is at once. `keyedBy` is hashed with the id, to recognise a repeat of the request.
 * Throws `conflict` if the broadcast is not a draft, or its segment or topic has been deleted, and
 * `domain_not_verified`.
 */
export async function sendBroadcast(
  app: App,
  caller: Caller,
  id: string,
  idempotencyKey: string | null,
  given: Pick<BroadcastChanges, 'scheduledAt'> = {},
  keyedBy: object = {},
): Promise<Broadcast> {
  const { from } = await getBroadcast(app, caller, id)
  await refuseUnverifiedTeam(app, caller.teamId)
  await refuseForeignSender(app.db, caller, [from])
  const key = requestKey(caller.teamId, endpoint, idempotencyKey, { id, ...keyedBy })
  return answerOnce<Broadcast>(app, key, {
    // A key and its answer are stored in one commit, so a key always has an answer.
    recover: async () => null,
    make: () => app.transaction((tx) => sendNew(tx, caller.teamId, { id, key, ...given })),
  })
}

type New = Pick<BroadcastChanges, 'scheduledAt'> & { id: string; key: RequestKey | null }

/** Null if another request with the key came first. */
async function sendNew(tx: Tx, teamId: string, { id, key, ...given }: New): Promise<Broadcast | null> {
  if (key && (await insertRequestKeys(tx, [{ ...key, resourceIds: [id] }])).size === 0) return null
  const draft = await lockBroadcast(tx, teamId, id)
  await refuseUnsendable(tx, draft)
  checkFields(given, tx.now)
  const scheduledAt = given.scheduledAt === undefined ? draft.scheduled_at : timeOf(given.scheduledAt)
  const isLater = scheduledAt !== null && scheduledAt > tx.now
  const status = isLater ? 'scheduled' : 'queued'
  await updateBroadcastRow(tx, teamId, id, { status, scheduled_at: scheduledAt })
  await noteCaused(tx, [{ teamId, id }])
  await enqueueJob(tx, dispatchBroadcastJob, { teamId, key: id, ...(isLater && { runAt: scheduledAt }) })
  const broadcast = (await findBroadcast(tx.db, teamId, id))!
  if (key) await storeResponses(tx, [{ key, response: { status: 200, body: broadcast } }])
  return broadcast
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** Checks the domain, segment and topic and locks them, so that none of them can be deleted before the commit. */
async function refuseUnsendable(tx: Tx, draft: BroadcastRow): Promise<void> {
  const { team_id: teamId, domain_name: name } = draft
  if (draft.status !== 'draft') throw conflict(`Only a draft can be sent; this broadcast is ${draft.status}.`)
  const domain = await findSendingDomain(tx, { teamId, name }, { lock: true })
  if (domain?.status !== 'verified') throw unverifiedDomain(name)
  if (!(await lockSegment(tx, teamsReachedByBroadcast(draft), draft.segment_id))) {
    throw conflict('Its segment was deleted. Choose another with PATCH {"segmentId": …}, then send it.')
  }
  if (draft.topic_id !== null && !(await lockTopic(tx, teamsReachedByBroadcast(draft), draft.topic_id))) {
    throw conflict('Its topic was deleted. Choose another with PATCH {"topicId": …}, or null for none, then send it.')
  }
}
