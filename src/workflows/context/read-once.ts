import type { Memory } from './memory.ts'

/** UTF-16 units of JSON, of all executions together. */
const keptMax = 8 * 1024 * 1024
/** What is shorter is read as soon as it is found. */
const keptMin = 1000

/** The last read stand at the end. */
const kept = new Map<string, { value: unknown; length: number }>()
let keptLength = 0

/** A member of what an execution knows, which never changes: mostly the same value while it is at hand. */
export function readOnce({ executionId, texts }: Memory, name: string): unknown {
  const text = texts.get(name)!
  if (text.length < keptMin) return JSON.parse(text)
  const key = `${executionId} ${name}`
  const found = kept.get(key) ?? { value: JSON.parse(text), length: text.length }
  if (!kept.delete(key)) keptLength += text.length
  kept.set(key, found)
  dropOldest()
  return found.value
}

function dropOldest(): void {
  for (const [key, { length }] of kept) {
    if (keptLength <= keptMax) return
    kept.delete(key)
    keptLength -= length
  }
}
