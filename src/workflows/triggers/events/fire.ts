import type { Db } from '../../../context.ts'
import type { EventName } from '../../../events.ts'
import type { FiringRule } from '../../nodes/node.ts'
import { nodeTypeOf, nodeTypes } from '../../nodes/registry.ts'
import type { Trigger } from '../queries.ts'
import type { ReadEvent, WorkflowEvent } from './event.ts'

export const firingNames: EventName[] = [
  ...new Set(nodeTypes.flatMap((node) => (node.kind === 'trigger' ? (node.on?.events ?? []) : []))),
]

/** Finds how events fire a trigger of this type; undefined if none do. */
export function firingRuleOf(type: string): FiringRule<unknown> | undefined {
  const node = nodeTypeOf(type)
  return node?.kind === 'trigger' ? node.on : undefined
}

/** True if an event may fire a trigger, judged by the event alone. */
export function mayFire({ type, events, config }: Trigger, event: WorkflowEvent): boolean {
  return events.includes(event.type) && (firingRuleOf(type)?.matches?.(event, config) ?? true)
}

/**
 * Reads the data of events for triggers of a type. Leaves out events that fire none, and those whose subject is gone.
 */
export async function readEvents(
  db: Db,
  teamId: string,
  events: WorkflowEvent[],
  triggerType: string,
): Promise<ReadEvent[]> {
  const rule = firingRuleOf(triggerType)
  if (!rule) return []
  const firing = events.filter(({ type }) => rule.events.includes(type))
  return rule.read(db, teamId, firing)
}

export function isFired(trigger: Trigger, { event, passes }: ReadEvent): boolean {
  return mayFire(trigger, event) && (passes?.(trigger.config as never) ?? true)
}
