import { unavailable } from '../errors.ts'
import { createFairSlots } from '../limits/fair-slots.ts'
import { perApp } from '../per-app.ts'
import { gather } from './gather.ts'

/** Items of a team that one flush takes. */
const itemsMax = 200
/** Flushes at a time, each with one of the process's 12 connections, which may wait for a lock all the while. */
const flushesMax = 3
/** Longer than a flush can wait for a lock: the database ends a statement after 8 s. */
const waitMs = 10_000

/**
 * A gathered function that may wait for locks of its team. Each team has a flush and a queue of its own, so no team
 * waits for the locks of another. Throws `unavailable` if several teams wait for locks and none is done in time.
 */
export function gatheredByTeam<A extends object, I extends { teamId: string }, O>(
  flush: (app: A, items: I[]) => Promise<(O | Error)[]>,
): (app: A, item: I) => Promise<O> {
  const stateOf = perApp((_: A) => ({
    slots: createFairSlots({ slotsMax: flushesMax, teamSlotsMax: 1, waitMs }),
    teams: new Map<string, { put(item: I): Promise<O>; count: number }>(),
  }))
  const queueOf = (app: A, teamId: string) => {
    const inSlot = async (items: I[]) => {
      const slot = await stateOf(app).slots.enter(teamId)
      if ('refused' in slot)
        return items.map(() => unavailable('Too many changes wait for others to end. Repeat this one shortly.', 2))
      return flush(app, items).finally(() => slot.leave())
    }
    return { put: gather(inSlot, { itemsMax, flushesMax: 1 }), count: 0 }
  }
  return async (app, item) => {
    const { teams } = stateOf(app)
    const team = teams.get(item.teamId) ?? queueOf(app, item.teamId)
    teams.set(item.teamId, team)
    team.count++
    try {
      return await team.put(item)
    } finally {
      if (--team.count === 0) teams.delete(item.teamId)
    }
  }
}
