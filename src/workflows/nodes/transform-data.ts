import Type from 'typebox'
import { Strict, TextEnum } from '../../platform/http/schema/schema.ts'
import { jsonPathFault } from '../jsonpath/fault.ts'
import { searchContext } from '../jsonpath/search.ts'
import { fillAll } from '../placeholders/fill.ts'
import { action } from './node.ts'

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
