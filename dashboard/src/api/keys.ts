import type { Noun as ServerNoun } from '../../../src/platform/http/nouns.ts'

/** A noun of the server, or one whose views are fetched again after what is done here. */
export type Noun =
  | ServerNoun
  | ('audit' | 'metrics' | 'rate-limits' | 'whatsapp')
  | `auth/${'2fa' | 'me' | 'sessions' | 'teams'}`
  | `workflows/${string}/executions`

/**
 * The keys of queries. The first part is the noun, as in the path of the API: `emails`, `sms/senders`. Hints of the
 * server name nouns and ids, so that a key says which hints concern it.
 */
export const keys = {
  list: (noun: string, filters: Record<string, unknown> = {}) => [noun, 'list', filters] as const,
  one: (noun: string, id: string, part = '', of: Record<string, unknown> = {}) => [noun, 'one', id, part, of] as const,
  /** Anything else of a noun: figures, options, a count. */
  part: (noun: string, part: string, of: Record<string, unknown> = {}) => [noun, 'part', part, of] as const,
}

/** Ids of changed things by noun. No ids means that any may have changed. */
export type Hint = Record<string, string[]>

/** Joins the ids of two hints. A noun without ids stays so: any of its things may have changed. */
export function joinHints(one: Hint, other: Hint): Hint {
  const joined: Hint = { ...one }
  for (const [noun, ids] of Object.entries(other)) {
    const before = one[noun]
    const isWhole = ids.length === 0 || before?.length === 0
    joined[noun] = isWhole ? [] : [...new Set([...(before ?? []), ...ids])]
  }
  return joined
}

/** Nouns whose figures or rows follow from another's. */
const follows: Record<string, Noun[]> = {
  emails: ['inbox', 'metrics', 'billing', 'broadcasts', 'webhooks', 'rate-limits', 'suppressions'],
  sms: ['inbox', 'metrics', 'billing', 'rate-limits'],
  whatsapp: ['inbox', 'metrics', 'whatsapp/conversations', 'whatsapp/messages'],
  contacts: ['segments', 'topics', 'suppressions'],
  segments: ['contacts'],
  topics: ['contacts'],
  team: ['auth/me'],
  workflows: ['metrics'],
  webhooks: ['metrics'],
  billing: ['rate-limits'],
} satisfies Partial<Record<Noun, Noun[]>>

/** Adds the nouns that follow from the hinted ones. */
export function withFollowing(hint: Hint): Hint {
  const all: Hint = { ...hint }
  for (const noun of Object.keys(hint)) {
    for (const other of follows[noun.split('/')[0]!] ?? []) all[other] ??= []
  }
  return all
}

/** The noun of the things with this path: of `/v1/sms/senders/:id` it is `sms/senders`. */
export type NounOf<Path extends string> = Path extends `/v1/${infer Name extends Noun}/:id` ? Name : never

/** Tells whether a hint concerns the query of this key. `sms` concerns `sms/senders` and the reverse. */
export function isConcerned(key: readonly unknown[], hint: Hint): boolean {
  const [noun, kind, id] = key
  if (typeof noun !== 'string') return false
  return Object.entries(hint).some(([changed, ids]) => {
    if (changed !== noun) return changed.startsWith(`${noun}/`) || noun.startsWith(`${changed}/`)
    return kind !== 'one' || ids.length === 0 || ids.includes(id as string)
  })
}

/** Tells whether a query reads the thing of this id, or what belongs to it, such as the deliveries of a webhook. */
export function isOf(key: readonly unknown[], id: string): boolean {
  return key[2] === id || String(key[0]).split('/').includes(id)
}
