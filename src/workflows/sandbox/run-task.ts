import { DomainError } from '../../platform/errors.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'
import type { Turn } from '../nodes/node.ts'
import { sandboxOf } from './sandbox.ts'
import type { Asked, Task } from './task.ts'
import { writeInput } from './write-input.ts'

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
