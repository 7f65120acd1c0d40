import { DomainError } from '../../platform/errors.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'
import { membersOf } from '../context/memory.ts'
import type { Context, Turn } from '../nodes/node.ts'
import { namedMembers } from './named-members.ts'
import { sandboxOf } from './sandbox.ts'
import type { Asked, Task } from './task.ts'

/**
 * Runs code or a search in the sandbox, with the members of the context that it can name. Returns the output; throws
 * `invalid`.
 */
export async function runTask({ app, teamId, context, signal, clock }: Turn, asked: Asked): Promise<unknown> {
  function task(): Task {
    clock.start()
    return { ...asked, ...writeInput(asked, context) }
  }
  // The wait for a thread depends on others, so it does not count.
  clock.stop()
  const answer = await sandboxOf(app).run(teamId, task, signal)
  if ('fault' in answer) throw new DomainError('invalid', answer.fault)
  return parseExactly(answer.output)
}

/**
 * In MiB of UTF-16 units of JSON. Code can read that much if it is mostly texts or numbers, and fails if its memory is
 * too small. A search has no such limit of memory, and its parsed input takes up to fifty times as many bytes.
 */
const inputMaxMib = { code: 8, jsonpath: 4 }

/** Writes the members of a context that the task names as JSON. The trigger has two names and is written once. */
function writeInput(asked: Asked, context: Context): Pick<Task, 'input' | 'same'> {
  const named = namedMembers(asked.kind, asked.kind === 'code' ? asked.source : asked.expression)
  const parts: string[] = []
  let length = 0
  let first: string | undefined
  let same: Task['same']
  for (const { name, properName, text } of membersOf(context)) {
    if (named && !named.has(name)) continue
    if (properName === 'trigger' && !same) {
      if (first !== undefined) {
        same = [first, name]
        continue
      }
      first = name
    }
    const part = `${JSON.stringify(name)}:${text}`
    length += part.length
    if (length > inputMaxMib[asked.kind] * 1024 * 1024) throw tooMuch(asked.kind)
    parts.push(part)
  }
  return { input: `{${parts.join(',')}}`, same }
}

function tooMuch(kind: Asked['kind']): DomainError {
  const example = kind === 'code' ? 'input.node_a' : '$.node_a'
  const message = `What this node may look at has more than ${inputMaxMib[kind]} MiB as JSON. Name only what it needs, as ${example}.`
  return new DomainError('invalid', message)
}
