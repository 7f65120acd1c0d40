import type { Tx } from '../../../context.ts'
import type { DomainError } from '../../../platform/errors.ts'
import {
  deleteRequestKeys,
  identityOf,
  insertRequestKeys,
  type RequestKey,
} from '../../../platform/idempotency/keys.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { beginConversations, lockConversations, pairKey } from '../../conversations/open.ts'
import { lockSenders, type SendingSender } from '../../senders/queries.ts'
import { findSendingTemplates, type SendingTemplate } from '../../templates/queries.ts'
import { insertMessages } from './insert.ts'
import type { MessageCommand } from './parse.ts'
import { refusalOf, windowRefusal } from './refuse.ts'

export type SendRequest = { teamId: string; command: MessageCommand; key: RequestKey | null }

/** A message that is durable; its job is held by us. */
export type AcceptedMessage = {
  id: string
  teamId: string
  conversationId: string
  sender: SendingSender
  to: string
  /** Of a free-form message null. */
  template: SendingTemplate | null
  variables: string[] | null
  body: string
  createdAt: Date
  job: Job
}

export type Draft = SendRequest & {
  id: string
  sender: SendingSender | undefined
  template: SendingTemplate | undefined
  refusal: DomainError | null
  /** The key was known: an earlier request has the answer. */
  known: boolean
}

/**
 * Takes many requests in one transaction: checks, then rows, jobs and keys. A refused request leaves nothing behind and harms no
 * other. Null: the key was known.
 */
export async function acceptRequests(tx: Tx, requests: SendRequest[]): Promise<(AcceptedMessage | Error | null)[]> {
  const drafts: Draft[] = requests.map((request) => {
    return { ...request, id: tx.newId(), sender: undefined, template: undefined, refusal: null, known: false }
  })
  await claimKeys(tx, drafts)
  await checkRules(tx, drafts.filter(isOpen))
  const conversations = await openConversations(tx, drafts.filter(isOpen))
  await deleteRequestKeys(
    tx,
    drafts.flatMap(({ refusal, known, key }) => (refusal && !known && key ? [key] : [])),
  )
  const accepted = await insertMessages(tx, drafts.filter(isOpen), conversations)
  return drafts.map((draft) => draft.refusal ?? accepted.get(draft) ?? null)
}

function isOpen(draft: Draft): boolean {
  return !draft.known && !draft.refusal
}

/** The second of two equal keys, in this transaction or an earlier one, waits for the first one's answer. */
async function claimKeys(tx: Tx, drafts: Draft[]): Promise<void> {
  const first = new Map<string, Draft>()
  for (const draft of drafts) {
    if (!draft.key) continue
    const identity = identityOf(draft.key)
    if (first.has(identity)) draft.known = true
    else first.set(identity, draft)
  }
  const added = await insertRequestKeys(
    tx,
    [...first.values()].map((draft) => ({ ...draft.key!, resourceIds: [draft.id] })),
  )
  for (const [identity, draft] of first) if (!added.has(identity)) draft.known = true
}

async function checkRules(tx: Tx, drafts: Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const senders = byId(
    await lockSenders(
      tx,
      drafts.map(({ teamId, command }) => ({ teamId, id: command.senderId })),
    ),
  )
  const wanted = drafts.flatMap(({ teamId, command }) =>
    command.kind === 'template' ? [{ teamId, id: command.templateId }] : [],
  )
  const templates = byId(wanted.length > 0 ? await findSendingTemplates(tx.db, wanted) : [])
  for (const draft of drafts) {
    const { teamId, command } = draft
    draft.sender = senders.get(idKey(teamId, command.senderId))
    draft.template = command.kind === 'template' ? templates.get(idKey(teamId, command.templateId)) : undefined
    draft.refusal = refusalOf(command, draft.sender, draft.template)
  }
}

function byId<T extends { teamId: string; id: string }>(rows: T[]): Map<string, T> {
  return new Map(rows.map((row) => [idKey(row.teamId, row.id), row]))
}

/** Ids come in upper case too. */
function idKey(teamId: string, id: string): string {
  return `${teamId} ${id.toLowerCase()}`
}

/** A template begins a conversation where there is none; text needs one whose window is open. */
async function openConversations(tx: Tx, drafts: Draft[]) {
  const templates = drafts.filter(({ command }) => command.kind === 'template')
  await beginConversations(tx, templates.map(pairOf))
  const conversations = await lockConversations(tx, drafts.map(pairOf))
  for (const draft of drafts) {
    if (draft.command.kind === 'template') continue
    draft.refusal = windowRefusal(conversations.get(pairKey(pairOf(draft))), tx.now)
  }
  return conversations
}

export function pairOf({ teamId, sender, command }: Draft) {
  return { teamId, senderId: sender!.id, phoneNumber: command.to }
}
