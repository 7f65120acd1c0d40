import { DomainError } from '../../platform/errors.ts'
import type { Turn } from '../nodes/node.ts'
import { sandboxOf } from './sandbox.ts'
import type { Asked, Task } from './task.ts'
import { writeInput } from './write-input.ts'

/** Runs it on what it can name of all that the execution knows, where it can neither hold up nor harm anything; gives the output. */
export async function runTask({ app, teamId, context, signal, clock }: Turn, asked: Asked): Promise<unknown> {
  function task(): Task {
    clock.start()
    return { ...asked, ...writeInput(asked, context) }
  }
  // How long it waits for a thread, others decide.
  clock.stop()
  const answer = await sandboxOf(app).run(teamId, task, signal)
  if ('fault' in answer) throw new DomainError('invalid', answer.fault)
  return JSON.parse(answer.output)
}
