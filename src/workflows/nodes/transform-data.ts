import Type from 'typebox'
import { Strict, TextEnum } from '../../platform/http/schema/schema.ts'
import { compileJsonPath, jsonPathFault } from '../jsonpath/environment.ts'
import { fillAll } from '../placeholders/fill.ts'
import { runTask } from '../sandbox/run-task.ts'
import { action, type Turn } from './node.ts'

export const transformDataNode = action({
  type: 'transform_data',
  title: 'Transform data',
  description: 'Makes a list or a text from the outputs of earlier nodes.',
  config: Strict({
    mode: TextEnum('jsonpath', 'template'),
    expression: Type.String({
      minLength: 1,
      maxLength: 64 * 1024,
      title: 'Expression',
      description:
        'A JSONPath (RFC 9535) from `$`, which holds `trigger`, `vars` and the outputs of the nodes before, as `node_<id>`; or a text with placeholders.',
      examples: ['$.trigger.body.items[?@.price > 10].name', 'Dear {{trigger.contact.firstName}}'],
    }),
  }),
  output: Type.Unsafe<unknown>({
    type: ['array', 'string'],
    description: 'The list of the values found, or the text.',
  }),
  pure: true,
  retries: false,
  faults({ mode, expression }) {
    const message = mode === 'jsonpath' && expression !== undefined ? jsonPathFault(expression) : null
    return message === null ? [] : [{ path: 'expression', message }]
  },
  // A placeholder filled into a JSONPath would let data become part of the query.
  prepare: (config, context) => (config.mode === 'jsonpath' ? config : fillAll(config, context)),
  async run(turn, { mode, expression }) {
    return { output: mode === 'jsonpath' ? await searchContext(turn, expression) : expression }
  },
})

/** Finds the values of an expression in the context of an execution. */
async function searchContext(turn: Turn, expression: string): Promise<unknown> {
  const query = compileJsonPath(expression)
  // Only names and indices: at most one value, found at once. Anything else is searched in a thread that can be ended.
  if (query.singularQuery() && query.segments.length > 0)
    return [...query.lazyQuery(turn.context as never)].map(({ value }) => value)
  return runTask(turn, { kind: 'jsonpath', expression })
}
