import { createLru } from '../../platform/lru.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'

type Read = { value: unknown; text: string }

/** Shorter texts are parsed each time. */
const keptMin = 1000

/**
 * The parsed members of all executions in the process; their bytes are counted as UTF-16 units of JSON. They have the
 * ids of executions as keys, so two apps may share them. The text is kept too: a node that is repeated after its
 * process lost the lease may have another output.
 */
const kept = createLru<Read>({ countMax: 8192, bytesMax: 8 * 1024 * 1024, bytesOf: ({ text }) => text.length })

/** Parses a member of a context. Repeated calls mostly return the same value. */
export function readOnce(
  { executionId, texts }: { executionId: string; texts: ReadonlyMap<string, string> },
  name: string,
): unknown {
  const text = texts.get(name)!
  if (text.length < keptMin) return parseExactly(text)
  const key = `${executionId} ${name}`
  const known = kept.get(key)
  if (known?.text === text) return known.value
  const value = parseExactly(text)
  kept.set(key, { value, text })
  return value
}
