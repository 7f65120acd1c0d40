import type { Reference } from '../nodes/node.ts'
import { hasPlaceholder } from './fill.ts'

/** Of an id in a config, where it is given and known before a run. */
export function referenceTo(noun: Reference['noun'], path: string, id: string | undefined): Reference[] {
  return id === undefined || hasPlaceholder(id) ? [] : [{ path, noun, id }]
}
