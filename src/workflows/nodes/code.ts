import Type from 'typebox'
import { Strict } from '../../platform/http/schema/schema.ts'
import { runTask } from '../sandbox/run-task.ts'
import { syntaxFault } from '../sandbox/syntax-fault.ts'
import { action } from './node.ts'

export const codeNode = action({
  type: 'code',
  title: 'Run code',
  description: 'Runs JavaScript in a sandbox: for at most 1 s, in 32 MiB, without a network.',
  config: Strict({
    source: Type.String({
      minLength: 1,
      maxLength: 64 * 1024,
      title: 'Source',
      description:
        'The body of an async function. `input` holds `trigger`, `vars` and the outputs of the nodes before, as `node_<id>`.',
      contentMediaType: 'text/javascript',
      examples: ['return { total: input.trigger.body.items.reduce((sum, item) => sum + item.price, 0) }'],
    }),
  }),
  output: Type.Unknown({ description: 'The value that the source returns, as JSON.' }),
  retries: false,
  restricted: true,
  faults({ source }) {
    const message = source === undefined ? null : syntaxFault(source)
    return message === null ? [] : [{ path: 'source', message }]
  },
  // Code reads its values from `input`. A placeholder filled into the source would let data become code.
  prepare: (config) => config,
  run: async (turn, { source }) => ({ output: await runTask(turn, { kind: 'code', source }) }),
})
