import type { App } from '../../../context.ts'
import { invalid, unauthenticated, unavailable } from '../../../platform/errors.ts'
import { recordSesEvent } from './record-event.ts'
import { askSns } from './sns/ask.ts'
import { readSnsMessage, type SnsMessage } from './sns/message.ts'
import { isSnsUrl } from './sns/url.ts'
import { refuseUnsigned } from './sns/verify-signature.ts'

/**
 * What Amazon SNS posts: events of emails, and the question whether this address wants them. Answers after the commit.
 * SNS repeats what was answered with 5xx or 429, and nothing else; repeats change nothing, so their age does not matter.
 */
export async function receiveSesEvent(app: App, body: unknown): Promise<{ received: true }> {
  const message = readSnsMessage(body)
  refuseOtherTopics(app, message)
  await refuseUnsigned(app, message)
  if (message.Type === 'Notification') await recordSesEvent(app, message)
  else if (message.Type === 'SubscriptionConfirmation') await confirmSubscription(app, message)
  else if (message.Type === 'UnsubscribeConfirmation')
    app.log.warn({ topic: message.TopicArn }, 'Amazon SNS sends no more events of this topic: it was unsubscribed')
  else throw invalid('Type', 'must be Notification, SubscriptionConfirmation or UnsubscribeConfirmation')
  return { received: true }
}

/** Anybody has topics at Amazon, and Amazon signs for all of them. Asked first: it costs nothing. */
function refuseOtherTopics(app: App, { TopicArn }: SnsMessage): void {
  const { sesTopicArns } = app.config
  if (sesTopicArns.includes(TopicArn)) return
  if (sesTopicArns.length === 0) warnOnce(app)
  throw unauthenticated('TopicArn: is not among the topics that SES_TOPIC_ARNS names, and no other is believed.')
}

const warned = new WeakSet<App>()

function warnOnce(app: App): void {
  if (warned.has(app)) return
  warned.add(app)
  app.log.warn('an event of Amazon SES was refused: name its topic in SES_TOPIC_ARNS')
}

async function confirmSubscription(app: App, { TopicArn, SubscribeURL = '' }: SnsMessage): Promise<void> {
  if (!isSnsUrl(SubscribeURL, app.config.sesEndpoint))
    throw unauthenticated('SubscribeURL: must be an address at sns.<region>.amazonaws.com.')
  const answer = await askSns(app, SubscribeURL)
  if (answer.kind !== 'answered' || answer.status !== 200) {
    const reason = answer.kind === 'answered' ? `It answered ${answer.status}.` : answer.reason
    app.log.warn({ topic: TopicArn, reason }, 'the subscription to a topic could not be confirmed')
    throw unavailable('The subscription could not be confirmed. Send the confirmation again.')
  }
  app.log.info({ topic: TopicArn }, 'subscribed to the events of Amazon SES')
}
