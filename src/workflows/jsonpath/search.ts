import type { Turn } from '../nodes/node.ts'
import { runTask } from '../sandbox/run-task.ts'
import { compileJsonPath } from './environment.ts'

/** The list of values that an expression finds in what the execution knows. */
export async function searchContext(turn: Turn, expression: string): Promise<unknown> {
  const query = compileJsonPath(expression)
  // Names and indices alone lead to one value in no time. Anything else is searched where it can be stopped, and `$` is everything.
  if (query.singularQuery() && query.segments.length > 0)
    return [...query.lazyQuery(turn.context as never)].map(({ value }) => value)
  return runTask(turn, { kind: 'jsonpath', expression })
}
