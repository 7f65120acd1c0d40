import type { App, Tx } from '../../../context.ts'
import { findErasedNumbers } from '../../../phone/find-erased.ts'
import type { DomainError } from '../../../platform/errors.ts'
import { claimRequestKeys } from '../../../platform/idempotency/claim.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { openConversations, type Pair, pairKey } from '../../conversations/open.ts'
import { findMarketingStops } from '../../marketing/choices.ts'
import { lockSendingSenders } from '../../senders/queries.ts'
import { findSendingTemplates, type SendingTemplate } from '../../templates/queries.ts'
import type { AcceptedWhatsapp, NewWhatsapp } from './accepted.ts'
import { insertWhatsapp } from './insert.ts'
import type { WhatsappCommand } from './parse.ts'
import { erasedRefusal, marketingRefusal, refusalOf, windowRefusal } from './refuse.ts'

type SendRequest = { teamId: string; command: WhatsappCommand; key: RequestKey | null }

type Draft = SendRequest & { resourceIds: [string]; refusal: DomainError | null; message: NewWhatsapp | null }

/**
 * Accepts a request. Requests that arrive while a commit is under way share the next one. Null if an earlier request
 * claimed the key; its answer counts.
 */
export const acceptWhatsapp: (app: App, request: SendRequest) => Promise<AcceptedWhatsapp | null> = gatheredFor(
  (app, requests) => app.transaction((tx) => acceptRequests(tx, requests)),
  { itemsMax: 100, flushesMax: 1 },
)

/** Checks the requests, and writes rows, jobs and keys. A refused request leaves nothing behind. */
async function acceptRequests(tx: Tx, requests: SendRequest[]): Promise<(AcceptedWhatsapp | null | Error)[]> {
  const drafts = requests.map((request): Draft => {
    return { ...request, resourceIds: [tx.newId()], refusal: null, message: null }
  })
  const known = await claimRequestKeys(tx, drafts)
  const fresh = drafts.filter((draft) => !known.has(draft))
  await checkRules(tx, fresh)
  await findConversations(tx, fresh)
  const refusedKeys = fresh.map(({ refusal, key }) => (refusal ? key : null))
  tx.withCommit(deleteRequestKeys(tx, refusedKeys))
  const messages = fresh.flatMap(({ refusal, message }) => (refusal || !message ? [] : [message]))
  const accepted = await insertWhatsapp(tx, messages)
  return drafts.map(({ refusal, resourceIds: [id] }) => refusal ?? accepted.get(id) ?? null)
}

async function checkRules(tx: Tx, drafts: Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const found = await findForRules(tx, drafts)
  for (const draft of drafts) {
    const { teamId, command, resourceIds } = draft
    const sender = found.senders.get(idKey(teamId, command.senderId))
    const template = found.templateOf(draft)
    const pair = customerOf(draft)
    draft.refusal = refusalOf(command, sender, template)
    if (found.erased.has(`${teamId} ${command.to}`)) draft.refusal ??= erasedRefusal()
    if (isMarketing(template) && found.stops.has(pairKey(pair))) draft.refusal ??= marketingRefusal(command.to)
    if (!draft.refusal)
      draft.message = { teamId, id: resourceIds[0], command, sender: sender!, template, conversationId: '' }
  }
}

/** Finds what the rules are about, and locks the senders. */
async function findForRules(tx: Tx, drafts: Draft[]) {
  const senderIds = drafts.map(({ teamId, command }) => ({ teamId, id: command.senderId }))
  const senders = await lockSendingSenders(tx, senderIds)
  const wanted = drafts.flatMap(({ teamId, command }) =>
    command.kind === 'template' ? [{ teamId, id: command.templateId }] : [],
  )
  const found = wanted.length > 0 ? await findSendingTemplates(tx.db, wanted) : []
  const templates = new Map(found.map((template) => [idKey(template.teamId, template.id), template]))
  const templateOf = ({ teamId, command }: Draft) =>
    command.kind === 'template' ? templates.get(idKey(teamId, command.templateId)) : undefined
  const marketing = drafts.filter((draft) => isMarketing(templateOf(draft)))
  const numbers = drafts.map(({ teamId, command }) => ({ teamId, number: command.to }))
  return {
    senders,
    templateOf,
    stops: await findMarketingStops(tx.db, marketing.map(customerOf)),
    erased: await findErasedNumbers(tx, numbers),
  }
}

function isMarketing(template: SendingTemplate | undefined): boolean {
  return template?.category === 'marketing'
}

function customerOf({ teamId, command: { senderId, to } }: Pick<Draft, 'teamId' | 'command'>): Pair {
  return { teamId, senderId, phoneNumber: to }
}

function idKey(teamId: string, id: string): string {
  return `${teamId} ${id}`
}

/** Finds the conversations. A template begins a missing one; free text requires one with an open window. */
async function findConversations(tx: Tx, drafts: Draft[]): Promise<void> {
  const messages = drafts.flatMap(({ message }) => message ?? [])
  const templates = messages.filter(({ command }) => command.kind === 'template')
  const { conversations } = await openConversations(tx, messages.map(customerOf), templates.map(customerOf))
  for (const draft of drafts) {
    if (!draft.message) continue
    const conversation = conversations.get(pairKey(customerOf(draft)))
    if (draft.command.kind === 'text') draft.refusal = windowRefusal(conversation, tx.now)
    if (conversation) draft.message.conversationId = conversation.id
  }
}
