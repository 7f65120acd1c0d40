import type { Memory } from './memory.ts'

/** UTF-16 units of JSON, of all executions together. */
const keptMax = 8 * 1024 * 1024

/** The last read stand at the end. */
const kept = new Map<string, { value: unknown; length: number }>()
let keptLength = 0

/** A member of what an execution knows, which never changes; the same value while it is at hand. */
export function readOnce({ executionId, texts }: Memory, name: string): unknown {
  const key = `${executionId} ${name}`
  const found = kept.get(key)
  if (found) {
    kept.delete(key)
    kept.set(key, found)
    return found.value
  }
  const text = texts.get(name)!
  const value: unknown = JSON.parse(text)
  kept.set(key, { value, length: text.length })
  keptLength += text.length
  dropOldest()
  return value
}

function dropOldest(): void {
  for (const [key, { length }] of kept) {
    if (keptLength <= keptMax) return
    kept.delete(key)
    keptLength -= length
  }
}
