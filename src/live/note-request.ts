import type { App, Caller } from '../context.ts'
import { recheckEventStreams } from '../platform/http/event-stream.ts'
import type { Route } from '../platform/http/route.ts'
import { hubOf } from './hub.ts'

/** Requests that change who may read. */
const aboutAccess = /^\/auth\/|^\/v1\/(api-keys|team)(\/|$)/
/** Requests that change nothing, although they are not GET. */
const changesNothing = /^\/v1\/(previews$|workflows\/:id\/check$)/
/** Nouns of two words; every other noun is the first word of its path. */
const longNouns =
  /^(sms\/(senders|opt-outs)|whatsapp\/(messages|conversations|senders|templates)|team\/\w+|privacy\/\w+)/

/** Notes the noun and the ids of a request that changed something. `result` is its answer. */
export function noteRequest(app: App, caller: Caller, { method, path }: Route, params: unknown, result: unknown): void {
  if (method === 'GET' || changesNothing.test(path)) return
  if (aboutAccess.test(path)) recheckEventStreams(app, caller)
  if (path.startsWith('/v1/'))
    hubOf(app.jobs).note(caller.teamId, nounOf(path.slice('/v1/'.length)), idsOf(params, result))
}

function nounOf(path: string): string {
  return longNouns.exec(path)?.[0] ?? path.split('/')[0]!
}

type Named = { id?: unknown; data?: unknown }

/** Returns the id in the path, or else those in the answer. */
function idsOf(params: unknown, result: unknown): string[] {
  const { id } = (params ?? {}) as Named
  if (typeof id === 'string') return [id]
  const { id: made, data } = (typeof result === 'object' && result !== null ? result : {}) as Named
  const all = Array.isArray(data) ? data.map((one: Named | null) => one?.id) : [made]
  return all.every((one) => typeof one === 'string') ? all : []
}
