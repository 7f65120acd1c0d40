import { rateOfZone, type Zone } from '../../../billing/rate-card.ts'
import type { App, Tx } from '../../../context.ts'
import type { DomainError } from '../../../platform/errors.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { claimRequestKeys } from '../../../platform/idempotency/claim.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { findOptedOut } from '../../opt-outs/queries.ts'
import { lockUsages, writeUsages } from '../../quota/usage.ts'
import { lockUsedSenders, type UsedSender } from '../../senders/queries.ts'
import type { MessageType } from '../../table.ts'
import { insertAccepted } from './insert.ts'
import type { SmsCommand } from './parse.ts'
import { type Asked, judge, type Known, messageTypeOf } from './refuse.ts'

/** One request, single or batch: accepted whole or refused whole. */
export type SmsRequest = Asked & { key: RequestKey | null }

/** A message about to be written. */
export type NewSms = {
  teamId: string
  id: string
  command: SmsCommand
  sender: UsedSender
  messageType: MessageType
  zone: Zone
  units: number
  /** UTC day whose limits it counts against. */
  day: string
}

/** A message that is durable and paid for; we hold its job. */
export type AcceptedSms = NewSms & { job: Job }

type Draft = SmsRequest & { resourceIds: string[]; refusal: DomainError | null; messages: NewSms[] }

/**
 * Accepts requests; those that arrive while a commit is under way share the next one. `null`: the key was known, an earlier
 * request has the answer.
 */
export const accept: (app: App, request: SmsRequest) => Promise<AcceptedSms[] | null> = gatheredFor(
  (app, requests) => app.transaction((tx) => acceptRequests(tx, requests)),
  { itemsMax: 100, flushesMax: 1 },
)

/** Checks, usage, rows, charges, jobs and keys in one transaction. A refused request leaves nothing behind and harms no other. */
async function acceptRequests(tx: Tx, requests: SmsRequest[]): Promise<(AcceptedSms[] | null | Error)[]> {
  const drafts = requests.map((request): Draft => {
    return { ...request, resourceIds: request.commands.map(() => tx.newId()), refusal: null, messages: [] }
  })
  const known = await claimRequestKeys(tx, drafts)
  const fresh = drafts.filter((draft) => !known.has(draft))
  await judgeAll(tx, fresh)
  await deleteRequestKeys(
    tx,
    fresh.map(({ refusal, key }) => (refusal ? key : null)),
  )
  const accepted = await insertAccepted(
    tx,
    fresh.flatMap(({ messages }) => messages),
  )
  return drafts.map((draft) => {
    return known.has(draft) ? null : (draft.refusal ?? draft.resourceIds.map((id) => accepted.get(id)!))
  })
}

/** In the order of the requests, each against what those before it have left. */
async function judgeAll(tx: Tx, drafts: Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const usages = await lockUsages(
    tx,
    drafts.map(({ teamId }) => teamId),
  )
  const known = await findKnown(tx, drafts)
  for (const draft of drafts) {
    const { usage, refusal } = judge(draft, usages.get(draft.teamId)!, known, tx.now)
    draft.refusal = refusal
    if (refusal) continue
    usages.set(draft.teamId, usage)
    draft.messages = draft.commands.map((command, index) => newSms(draft, command, index, known, usage.day))
  }
  await writeUsages(tx, usages)
}

async function findKnown(tx: Tx, drafts: Draft[]): Promise<Known> {
  const all = drafts.flatMap(({ teamId, commands }) => commands.map((command) => ({ teamId, ...command })))
  const optedOut = await findOptedOut(
    tx.db,
    all.map(({ teamId, recipient }) => ({ teamId, number: recipient })),
  )
  return { optedOut, senders: await lockUsedSenders(tx, all) }
}

function newSms(draft: Draft, command: SmsCommand, index: number, { senders }: Known, day: string): NewSms {
  const { teamId, resourceIds } = draft
  const sender = senders.get(`${teamId} ${command.senderId}`)!
  const zone = command.zone!
  const messageType = messageTypeOf(command, sender)
  return { teamId, id: resourceIds[index]!, command, sender, messageType, zone, units: rateOfZone(zone), day }
}
