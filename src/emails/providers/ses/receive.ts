import type { App } from '../../../context.ts'
import { settingsOf } from '../../../platform/environment/settings.ts'
import { receiveSns } from '../../../platform/sns/receive.ts'
import { recordSesEvent } from './record-event.ts'
import { sesSettings } from './settings.ts'

/** Receives what Amazon SNS posts about emails. A repeated message changes nothing. */
export function receiveSesEvent(app: App, body: unknown): Promise<{ received: true }> {
  const { topicArns, endpoint: standIn } = settingsOf(app.config, sesSettings)
  const source = { service: 'Amazon SES', variable: 'SES_TOPIC_ARNS', topicArns, standIn }
  return receiveSns(app, body, source, (message) => recordSesEvent(app, message))
}
