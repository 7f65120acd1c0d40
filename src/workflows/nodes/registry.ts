import { addSegmentNode } from './add-segment.ts'
import { broadcastCompleteNode } from './broadcast-complete.ts'
import { codeNode } from './code.ts'
import { conditionNode } from './condition.ts'
import { contactEventNode } from './contact-event.ts'
import { delayNode } from './delay.ts'
import { discordNotificationNode } from './discord-notification.ts'
import { emailEventNode } from './email-event.ts'
import { filterNode } from './filter.ts'
import { httpRequestNode } from './http-request.ts'
import { manualNode } from './manual.ts'
import type { NodeType } from './node.ts'
import { removeSegmentNode } from './remove-segment.ts'
import { scheduleNode } from './schedule.ts'
import { sendBroadcastNode } from './send-broadcast.ts'
import { sendEmailNode } from './send-email.ts'
import { slackNotificationNode } from './slack-notification.ts'
import { suppressEmailNode } from './suppress-email.ts'
import { transformDataNode } from './transform-data.ts'
import { updateContactNode } from './update-contact.ts'
import { webhookReceivedNode } from './webhook-received.ts'

/** All node types. A new type is a file and a line here. */
export const nodeTypes: NodeType[] = [
  emailEventNode,
  webhookReceivedNode,
  scheduleNode,
  manualNode,
  contactEventNode,
  broadcastCompleteNode,
  sendEmailNode,
  sendBroadcastNode,
  httpRequestNode,
  delayNode,
  conditionNode,
  filterNode,
  addSegmentNode,
  removeSegmentNode,
  updateContactNode,
  suppressEmailNode,
  slackNotificationNode,
  discordNotificationNode,
  transformDataNode,
  codeNode,
]

const byType = new Map(nodeTypes.map((node) => [node.type, node]))

/** Undefined for a type that does not exist. */
export function nodeTypeOf(type: string): NodeType | undefined {
  return byType.get(type)
}
