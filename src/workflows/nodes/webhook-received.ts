import Type from 'typebox'
import { AnyObject, Strict } from '../../platform/http/schema/schema.ts'
import { trigger } from './node.ts'

export const webhookReceivedNode = trigger({
  type: 'webhook_received',
  title: 'Webhook received',
  description:
    'Fires for each POST to the URL of the workflow. The URL is a secret: it is all that is needed to start it.',
  config: Strict({}),
  output: Type.Object({
    headers: AnyObject({ description: 'By their names in lower case.' }),
    query: AnyObject(),
    body: Type.Optional(Type.Unknown()),
  }),
})
