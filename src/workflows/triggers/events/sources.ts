import type { EventName } from '../../../events.ts'
import type { EventSource } from '../../nodes/node.ts'
import { nodeTypeOf, nodeTypes } from '../../nodes/registry.ts'
import type { Trigger } from '../queries.ts'
import type { Heard } from './heard.ts'

/** The names of all events that may fire a trigger. */
export const heardNames: EventName[] = [
  ...new Set(nodeTypes.flatMap((node) => (node.kind === 'trigger' ? (node.on?.events ?? []) : []))),
]

/** Finds how events fire a trigger of this type; undefined if none do. */
export function sourceOf(type: string): EventSource<unknown> | undefined {
  const node = nodeTypeOf(type)
  return node?.kind === 'trigger' ? node.on : undefined
}

/** True if an event may fire a trigger, judged by the event alone. */
export function mayFire({ type, events, config }: Trigger, event: Heard): boolean {
  return events.includes(event.type) && (sourceOf(type)?.matches?.(event, config) ?? true)
}
