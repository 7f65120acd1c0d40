import type { App, Caller } from '../context.ts'
import { recheckEventStreams } from '../platform/http/event-stream.ts'
import type { Route } from '../platform/http/route.ts'
import { hubOf } from './hub.ts'

/** Nouns whose changes may end what somebody may read. */
const aboutAccess = new Set<Route['changes']>(['account', 'api-keys', 'team', 'team/members'])

/** Notes the noun and the ids of a request that changed something. `result` is its answer. */
export function noteChange(app: App, caller: Caller, { changes }: Route, params: unknown, result: unknown): void {
  if (changes === undefined || changes === 'nothing') return
  if (aboutAccess.has(changes)) recheckEventStreams(app, caller)
  if (changes === 'account') return
  hubOf(app.jobs).note(caller.teamId, changes, idsOf(params, result))
  // A contact that leaves a segment or a topic changes with it, and goes from lists that hold it far down.
  const { contactId } = (params ?? {}) as Named
  if (typeof contactId === 'string') hubOf(app.jobs).note(caller.teamId, 'contacts', [contactId])
}

type Named = { id?: unknown; contactId?: unknown; data?: unknown }

/** Returns the id in the path, or else those in the answer. */
function idsOf(params: unknown, result: unknown): string[] {
  const { id } = (params ?? {}) as Named
  if (typeof id === 'string') return [id]
  const { id: made, data } = (typeof result === 'object' && result !== null ? result : {}) as Named
  const all = Array.isArray(data) ? data.map((one: Named | null) => one?.id) : [made]
  return all.every((one) => typeof one === 'string') ? all : []
}
