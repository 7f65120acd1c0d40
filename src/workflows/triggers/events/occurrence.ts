import type { Db } from '../../../context.ts'
import type { Listener } from '../queries.ts'
import { findDepths } from './depth.ts'
import type { Heard, Occurrence } from './heard.ts'
import { mayFire, sourceOf } from './sources.ts'

export type Occurred = Occurrence & { depth: number }

/**
 * Reads the data of events for these listeners, by the type of their trigger. Leaves out events whose subject is gone.
 */
export async function readOccurrences(
  db: Db,
  teamId: string,
  events: Heard[],
  listeners: Listener[],
): Promise<Map<string, Occurred[]>> {
  const depths = await findDepths(db, teamId, events)
  const depthOf = new Map(events.map((event, index) => [event, depths[index]!]))
  const byType = new Map<string, Occurred[]>()
  for (const type of new Set(listeners.map((listener) => listener.type))) {
    const source = sourceOf(type)
    if (!source) continue
    const its = events.filter((event) => source.events.includes(event.type))
    const read = await source.read(db, teamId, its)
    byType.set(
      type,
      read.map((occurrence) => ({ ...occurrence, depth: depthOf.get(occurrence.event)! })),
    )
  }
  return byType
}

export function isFired(listener: Listener, { event, passes }: Occurred): boolean {
  return mayFire(listener, event) && (passes?.(listener.config as never) ?? true)
}
