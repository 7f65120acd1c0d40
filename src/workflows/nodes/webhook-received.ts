import { Strict } from '../../platform/http/schema.ts'
import { trigger } from './node.ts'

export const webhookReceivedNode = trigger({
  type: 'webhook_received',
  title: 'Webhook received',
  description: 'Fires for each POST to the URL of the workflow. Whoever knows that URL can start it.',
  config: Strict({}),
})
