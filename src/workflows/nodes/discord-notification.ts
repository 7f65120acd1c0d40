import { chatNode } from '../calls/chat-node.ts'
import { fillDiscord } from '../calls/chat-text.ts'

export const discordNotificationNode = chatNode({
  type: 'discord_notification',
  title: 'Write to Discord',
  description: 'Posts a message to a webhook of Discord.',
  example: 'https://discord.com/api/webhooks/000/XXXX',
  // Discord's limit of `content`. Discord refuses longer messages.
  lengthMax: 2000,
  fill: fillDiscord,
  // Notifies no people or roles, whose names the values may hold.
  bodyOf: (content) => ({ content, allowed_mentions: { parse: [] } }),
})
