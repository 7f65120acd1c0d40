import { createLru } from '../../platform/lru.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'

type Read = { value: unknown; length: number }

/** Shorter texts are parsed each time. */
const keptMin = 1000

/**
 * The parsed members of all executions in the process; their bytes are counted as UTF-16 units of JSON. The values
 * never change and have the ids of executions as keys, so two apps may share them.
 */
const kept = createLru<Read>({ countMax: 8192, bytesMax: 8 * 1024 * 1024, bytesOf: ({ length }) => length })

/** Parses a member of a context. Repeated calls mostly return the same value. */
export function readOnce(
  { executionId, texts }: { executionId: string; texts: ReadonlyMap<string, string> },
  name: string,
): unknown {
  const text = texts.get(name)!
  if (text.length < keptMin) return parseExactly(text)
  const key = `${executionId} ${name}`
  const known = kept.get(key)
  if (known) return known.value
  const value = parseExactly(text)
  kept.set(key, { value, length: text.length })
  return value
}
