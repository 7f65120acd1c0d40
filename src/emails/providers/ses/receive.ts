import type { App } from '../../../context.ts'
import { receiveSns } from '../../../platform/sns/receive.ts'
import { recordSesEvent } from './record-event.ts'

/** Takes what Amazon SNS posts about emails. Repeats change nothing. */
export function receiveSesEvent(app: App, body: unknown): Promise<{ received: true }> {
  const { sesTopicArns: topicArns, sesEndpoint: standIn } = app.config
  const source = { service: 'Amazon SES', variable: 'SES_TOPIC_ARNS', topicArns, standIn }
  return receiveSns(app, body, source, (message) => recordSesEvent(app, message))
}
