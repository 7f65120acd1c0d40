import { rateOfZone } from '../../../billing/rate-card.ts'
import type { App, Tx } from '../../../context.ts'
import type { DomainError } from '../../../platform/errors.ts'
import { claimRequestKeys } from '../../../platform/idempotency/claim.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { findOptedOut } from '../../opt-outs/queries.ts'
import { lockUsages, writeUsages } from '../../quota/usage.ts'
import { lockSendingSenders } from '../../senders/queries.ts'
import type { AcceptedSms, NewSms } from './accepted.ts'
import { insertSms } from './insert.ts'
import type { SmsCommand } from './parse.ts'
import { type Asked, type Found, judgeRequest, messageTypeOf } from './refuse.ts'

/** A request for one message or a batch. It is accepted or refused as a whole. */
type SendRequest = Asked & { key: RequestKey | null }

type Draft = SendRequest & { resourceIds: string[]; refusal: DomainError | null; messages: NewSms[] }

/**
 * Accepts a request. Requests that arrive while a commit is under way share the next one. Null if an earlier request
 * claimed the key; its answer counts.
 */
export const acceptSms: (app: App, request: SendRequest) => Promise<AcceptedSms[] | null> = gatheredFor(
  (app, requests) => app.transaction((tx) => acceptRequests(tx, requests)),
  { itemsMax: 100, flushesMax: 1 },
)

/** Checks the requests, and writes usage, rows, charges, jobs and keys. A refused request leaves nothing behind. */
async function acceptRequests(tx: Tx, requests: SendRequest[]): Promise<(AcceptedSms[] | null | Error)[]> {
  const drafts = requests.map((request): Draft => {
    return { ...request, resourceIds: request.commands.map(() => tx.newId()), refusal: null, messages: [] }
  })
  const known = await claimRequestKeys(tx, drafts)
  const fresh = drafts.filter((draft) => !known.has(draft))
  await judgeAll(tx, fresh)
  const refusedKeys = fresh.map(({ refusal, key }) => (refusal ? key : null))
  tx.withCommit(deleteRequestKeys(tx, refusedKeys))
  const messages = fresh.flatMap((draft) => draft.messages)
  const accepted = await insertSms(tx, messages)
  return drafts.map((draft) => {
    return known.has(draft) ? null : (draft.refusal ?? draft.resourceIds.map((id) => accepted.get(id)!))
  })
}

/** Judges the requests in order, each against the limits that remain after the ones before it. */
async function judgeAll(tx: Tx, drafts: Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const teamIds = drafts.map(({ teamId }) => teamId)
  // In one write. The locks are taken in this order.
  const [usages, found] = await allEnded([lockUsages(tx, teamIds), findWanted(tx, drafts)])
  for (const draft of drafts) {
    const { usage, refusal } = judgeRequest(draft, usages.get(draft.teamId)!, found, tx.now)
    draft.refusal = refusal
    if (refusal) continue
    usages.set(draft.teamId, usage)
    draft.messages = draft.commands.map((command, index) => newSms(draft, command, index, found, usage.day))
  }
  tx.withCommit(writeUsages(tx, usages))
}

async function findWanted(tx: Tx, drafts: Draft[]): Promise<Found> {
  const all = drafts.flatMap(({ teamId, commands }) => commands.map((command) => ({ teamId, ...command })))
  const recipients = all.map(({ teamId, recipient }) => ({ teamId, number: recipient }))
  const [optedOut, senders] = await allEnded([findOptedOut(tx, recipients), lockSendingSenders(tx, all)])
  return { optedOut, senders }
}

function newSms(draft: Draft, command: SmsCommand, index: number, { senders }: Found, day: string): NewSms {
  const { teamId, resourceIds } = draft
  const sender = senders.get(`${teamId} ${command.senderId}`)!
  const zone = command.zone!
  const messageType = messageTypeOf(command, sender)
  return { teamId, id: resourceIds[index]!, command, sender, messageType, zone, units: rateOfZone(zone), day }
}
