import { chatNode } from '../calls/chat-node.ts'
import { fillSlack } from '../calls/chat-text.ts'

export const slackNotificationNode = chatNode({
  type: 'slack_notification',
  title: 'Write to Slack',
  description: 'Posts a message to an incoming webhook of Slack.',
  example: 'https://hooks.slack.com/services/T000/B000/XXXX',
  // Slack's limit of `text`. Slack truncates longer messages.
  lengthMax: 40_000,
  fill: fillSlack,
  bodyOf: (text) => ({ text }),
})
