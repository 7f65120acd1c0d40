import { chatNode } from '../calls/chat-node.ts'

/** Output: `{statusCode}`. */
export const discordNotificationNode = chatNode({
  type: 'discord_notification',
  title: 'Write to Discord',
  description: 'Posts a message to a webhook of Discord.',
  example: 'https://discord.com/api/webhooks/000/XXXX',
  // Discord's limit of `content`. Discord refuses longer messages.
  lengthMax: 2000,
  bodyOf: (content) => ({ content }),
})
