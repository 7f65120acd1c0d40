import type { Turn } from '../nodes/node.ts'
import { runTask } from '../sandbox/run-task.ts'
import { compileJsonPath } from './environment.ts'

/** Finds the values of an expression in the context of an execution. */
export async function searchContext(turn: Turn, expression: string): Promise<unknown> {
  const query = compileJsonPath(expression)
  // Only names and indices: at most one value, found at once. Anything else is searched in a thread that can be ended.
  if (query.singularQuery() && query.segments.length > 0)
    return [...query.lazyQuery(turn.context as never)].map(({ value }) => value)
  return runTask(turn, { kind: 'jsonpath', expression })
}
