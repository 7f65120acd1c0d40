import type { App } from '../../../context.ts'
import { settingsOf } from '../../../platform/environment/settings.ts'
import type { SnsMessage } from '../../../platform/sns/message.ts'
import { receiveSns } from '../../../platform/sns/receive.ts'
import { recordSmsReports } from '../../messages/facts/reports.ts'
import { receiveSms } from '../../opt-outs/record-inbound.ts'
import { readNotification } from './read-notification.ts'
import { awsSettings } from './settings.ts'

/** Receives notifications from Amazon SNS: events of our messages, and messages to our numbers. */
export function receiveAwsSms(app: App, body: unknown): Promise<{ received: true }> {
  const { topicArns, endpoint: standIn } = settingsOf(app.config, awsSettings)
  const source = { service: 'AWS End User Messaging', variable: 'SMS_AWS_TOPIC_ARNS', topicArns, standIn }
  return receiveSns(app, body, source, (message) => take(app, message))
}

async function take(app: App, { Message, Timestamp }: SnsMessage): Promise<void> {
  const now = app.clock.now()
  const told = readNotification(Message, now)
  if (told.kind === 'fact') return recordSmsReports(app, 'aws', [told.fact])
  if (told.kind === 'other') return app.log.debug('ignored a notification that is not about our text messages')
  // The time of a notification stays the same when SNS repeats it.
  const at = new Date(Timestamp)
  const sms = { ...told.message, ...(Number.isFinite(at.getTime()) && { at }) }
  await receiveSms(app, sms)
}
