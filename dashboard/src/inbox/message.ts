import { queryOptions } from '@tanstack/react-query'
import { readAll } from '../api/all.ts'
import { keys } from '../api/keys.ts'
import { type Mode, modeOf } from '../api/mode.ts'
import { type Answer, getText, type RowOf } from '../api/request.ts'
import { oneOf } from '../api/use-one.ts'

/** A channel whose captured messages are conversations with a phone. */
export type Channel = 'sms' | 'whatsapp'

export type InboxItem = RowOf<'/v1/inbox'>
export type InboxMessage = Answer<'/v1/inbox/:id'>

/** The search of the address, as the API takes it. */
export function inboxFilters(address: Record<string, string | undefined>) {
  return { search: address.search, mode: modeOf(address) }
}

export const inboxMessageOf = (id: string, mode: Mode) => oneOf('/v1/inbox/:id', { id, mode })

/** The conversations of a channel with phones, as many as `readAll` reads. */
export const threadsOf = (channel: Channel, mode: Mode) =>
  queryOptions({
    queryKey: keys.part('inbox', 'threads', { channel, mode }),
    queryFn: ({ signal }) => readAll('/v1/inbox/threads', { channel, mode }, { signal }),
  })

/** The message as it was captured, with its headers. */
export const rawOf = (id: string, mode: Mode) =>
  queryOptions({
    queryKey: keys.one('inbox', id, 'raw', { mode }),
    queryFn: ({ signal }) => getText('/v1/inbox/:id', { id, mode }, { signal, accept: 'message/rfc822' }),
  })
