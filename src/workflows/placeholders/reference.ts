import type { Reference } from '../nodes/node.ts'
import { hasPlaceholder } from './fill.ts'

/** The reference to an id in a config, if it is given and has no placeholder. */
export function referenceTo(noun: Reference['noun'], path: string, id: string | undefined): Reference[] {
  return id === undefined || hasPlaceholder(id) ? [] : [{ path, noun, id }]
}
