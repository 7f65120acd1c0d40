import Type from 'typebox'
import { invalid } from '../../platform/errors.ts'
import { Strict } from '../../platform/http/schema/schema.ts'
import { hidden, hidePath } from '../../platform/network/hide-path.ts'
import { type ActionNode, action } from '../nodes/node.ts'
import { fillUrl } from '../placeholders/fill-url.ts'
import { beyondChats, leavesChats } from './chat-hosts.ts'
import { type FillMessage, messageTooLong } from './chat-text.ts'
import { postMessage } from './post-message.ts'
import { urlConfigFault } from './url.ts'

type Chat = Pick<ActionNode, 'type' | 'title' | 'description'> & {
  example: string
  /** In Unicode characters. */
  lengthMax: number
  fill: FillMessage
  bodyOf(message: string): object
}

/** As written, in Unicode characters: room for placeholders that are longer than their values. */
const writtenMax = 64 * 1024

/** A node that writes a message to a chat. */
export function chatNode({ example, lengthMax, fill, bodyOf, ...description }: Chat): ActionNode {
  return action({
    ...description,
    config: Strict({
      webhook_url: Type.String({
        minLength: 1,
        title: 'Webhook URL',
        description: 'A secret: it is all that is needed to post there.',
        examples: [example],
      }),
      message: Type.String({
        minLength: 1,
        maxLength: writtenMax,
        title: 'Message',
        description: `At most ${lengthMax} characters. Values cannot mention people or hide links.`,
        examples: ['{{trigger.contact.email}} has signed up.'],
        contentMediaType: 'text/plain',
      }),
    }),
    output: Type.Object({ statusCode: Type.Integer() }),
    retries: true,
    secret: { field: 'webhook_url', hide: hideAddress },
    restricted: ({ config: installation }, { webhook_url }) =>
      leavesChats(installation, webhook_url) ? beyondChats(installation) : null,
    faults({ webhook_url }) {
      const message = webhook_url === undefined ? null : urlConfigFault(webhook_url)
      return message ? [{ path: 'webhook_url', message }] : []
    },
    prepare: ({ webhook_url, message }, context) => ({
      webhook_url: fillUrl('webhook_url', webhook_url, context),
      message: fill(message, context, lengthMax),
    }),
    shown: ({ webhook_url, message }) => ({ webhook_url: hidePath(webhook_url), message }),
    async run(turn, { webhook_url, message }) {
      const length = message.length > lengthMax ? [...message].length : message.length
      if (length > lengthMax) throw messageTooLong(lengthMax, length)
      if (message.trim() === '') throw invalid('message', 'must not be empty, and became so')
      const statusCode = await postMessage(turn, webhook_url, bodyOf(message))
      return { output: { statusCode } }
    },
  })
}

function hideAddress(url: unknown): string {
  return typeof url === 'string' ? hidePath(url) : hidden
}
