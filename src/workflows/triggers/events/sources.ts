import type { EventName } from '../../../events.ts'
import type { EventSource } from '../../nodes/node.ts'
import { nodeTypeOf, nodeTypes } from '../../nodes/registry.ts'
import type { Trigger } from '../queries.ts'
import type { Heard } from './heard.ts'

/** The names of all events that a trigger can hear. */
export const heardNames: EventName[] = [
  ...new Set(nodeTypes.flatMap((node) => (node.kind === 'trigger' ? (node.on?.events ?? []) : []))),
]

/** Undefined for a trigger that no event fires. */
export function sourceOf(type: string): EventSource<unknown> | undefined {
  const node = nodeTypeOf(type)
  return node?.kind === 'trigger' ? node.on : undefined
}

/** Whether an event may fire a trigger, as far as the event itself tells. */
export function mayFire({ type, events, config }: Trigger, event: Heard): boolean {
  return events.includes(event.type) && (sourceOf(type)?.matches?.(event, config) ?? true)
}
