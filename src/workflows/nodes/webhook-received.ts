import { Strict } from '../../platform/http/schema.ts'
import { trigger } from './node.ts'

export const webhookReceivedNode = trigger({
  type: 'webhook_received',
  title: 'Webhook received',
  description:
    'Fires for each POST to the URL of the workflow. The URL is a secret: it is all that is needed to start it.',
  config: Strict({}),
})
