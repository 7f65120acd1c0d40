/**
 * Whom a tool that changes something sends to. `none`: to no one. `email`: to, cc and bcc of its input; `emails`: those
 * of a batch. `waiting`: the recipients of the email of its id. `draft`: later to a segment. `broadcast`: now to a
 * segment. `phone`: to a phone number. `workflow`: to whomever the workflow names. `newContact`, `contact` and
 * `members` are who later gets broadcasts: the contact of its input, that of its id, and several by their ids.
 */
type Recipients =
  | ('none' | 'email' | 'emails' | 'waiting' | 'draft' | 'broadcast' | 'phone' | 'workflow')
  | ('newContact' | 'contact' | 'members')

export type Toolset = 'default' | 'whatsapp' | 'workflows' | 'webhooks' | 'admin'

export type Tool = {
  name: string
  title: string
  description: string
  operationId: string
  toolset: Toolset
  recipients: Recipients
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
  /** Without `confirm: true` this operation answers instead, and nothing is sent. */
  unconfirmed?: string
}

export const hints = (
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
) => ({
  hints: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
})
export const reads = { ...hints(true, false, true, false), recipients: 'none' } as const
/** Adds something each time. */
export const adds = { ...hints(false, false, false, false), recipients: 'none' } as const
/** Leaves the same however often it is called. */
export const sets = { ...hints(false, true, true, false), recipients: 'none' } as const
/** Reaches people, and cannot be taken back. */
export const sends = (recipients: Recipients) => ({ ...hints(false, true, false, true), recipients })
