import { drawn } from './drawn.ts'
import type { OperationId } from './operations.ts'

export type Verb = {
  does: OperationId
  /** The field that is given as an argument, after the ids of the path. */
  argument?: string
  /** Flags that have another name than their field. */
  renames?: Readonly<Record<string, string>>
  /** Fields that the verb itself says. */
  sets?: Readonly<Record<string, unknown>>
  /** Reaches many people, so that it asks first. */
  reachesMany?: true
  /** It is not asked, although it is a DELETE: the thing itself stays. */
  isHarmless?: true
}

/** The commands of `drawn.ts` that take more than ids and flags, and those that are an operation with a field given. */
const special: Readonly<Record<string, Partial<Verb>>> = {
  'emails reschedule': { renames: { at: 'scheduledAt' } },
  'domains add': { argument: 'name' },
  'contacts add': { argument: 'email' },
  'segments create': { argument: 'name' },
  'segments add-contacts': { argument: 'contactIds' },
  'segments remove-contact': { isHarmless: true },
  'topics create': { argument: 'name' },
  'topics add-contacts': { argument: 'contactIds' },
  'topics remove-contact': { isHarmless: true },
  'templates create': { argument: 'name' },
  'templates publish': { does: 'updateTemplate', sets: { status: 'published' } },
  'templates unpublish': { does: 'updateTemplate', sets: { status: 'draft' } },
  'suppressions create': { argument: 'email' },
  'broadcasts create': { argument: 'name' },
  'broadcasts send': { reachesMany: true },
  'workflows create': { argument: 'name' },
  'sms send': { argument: 'to' },
  'sms send-batch': { reachesMany: true },
  'sms senders create': { argument: 'name' },
  'sms opt-outs create': { argument: 'phoneNumber' },
  'whatsapp send': { argument: 'to' },
  'whatsapp senders create': { argument: 'name' },
  'whatsapp templates create': { argument: 'name' },
  'whatsapp conversations reply': { argument: 'body' },
  'webhooks create': { argument: 'endpointUrl' },
  'webhooks test': { argument: 'eventType' },
  'keys create': { argument: 'name' },
  'credentials create': { argument: 'name' },
}

/** The commands that are one operation each. Their flags and checks come from `operations.ts`. */
export const verbNames: readonly string[] = [...new Set([...Object.keys(drawn), ...Object.keys(special)])]

export function verbOf(name: string): Verb {
  const { does = drawn[name]!, ...rest } = special[name] ?? {}
  return { does, ...rest }
}
