import type { App } from '../../context.ts'
import { invalid, unauthenticated, unavailable } from '../errors.ts'
import { perApp } from '../per-app.ts'
import { askSns } from './ask.ts'
import { readSnsMessage, type SnsMessage } from './message.ts'
import { isSnsUrl } from './url.ts'
import { refuseUnsigned } from './verify-signature.ts'

type SnsSource = {
  /** The name in the log, such as `Amazon SES`. */
  service: string
  /** Topics whose notifications are accepted, and the variable that names them. */
  topicArns: readonly string[]
  variable: string
  /** Replaces Amazon's endpoint. */
  standIn: string | null
}

/**
 * Receives messages of Amazon SNS: notifications, and requests to confirm a subscription. Answers after `take`,
 * which commits. SNS repeats a message only after 5xx or 429, so repeats must change nothing.
 */
export async function receiveSns(
  app: App,
  body: unknown,
  source: SnsSource,
  take: (message: SnsMessage) => Promise<void>,
): Promise<{ received: true }> {
  const message = readSnsMessage(body)
  refuseOtherTopics(app, source, message)
  await refuseUnsigned(app, message, source.standIn)
  if (message.Type === 'Notification') refuseStale(app, source, message)
  if (message.Type === 'Notification') await take(message)
  else if (message.Type === 'SubscriptionConfirmation') await confirmSubscription(app, source, message)
  else if (message.Type === 'UnsubscribeConfirmation')
    app.log.warn({ topic: message.TopicArn }, 'Amazon SNS sends no more events of this topic: it was unsubscribed')
  else throw invalid('Type', 'must be Notification, SubscriptionConfirmation or UnsubscribeConfirmation')
  return { received: true }
}

/** Refuses other topics, since Amazon signs for everyone's topics. Checked first, because it is cheap. */
function refuseOtherTopics(app: App, source: SnsSource, { TopicArn }: SnsMessage): void {
  const { topicArns, variable } = source
  if (topicArns.includes(TopicArn)) return
  if (topicArns.length === 0) warnOnce(app, source)
  throw unauthenticated(`TopicArn: is not among the topics that ${variable} names, and no other is believed.`)
}

const warnedOf = perApp(() => new Set<string>())

function warnOnce(app: App, { service, variable }: SnsSource): void {
  const variables = warnedOf(app)
  if (variables.has(variable)) return
  variables.add(variable)
  app.log.warn(`an event of ${service} was refused: name its topic in ${variable}`)
}

async function confirmSubscription(
  app: App,
  { service, standIn }: SnsSource,
  { TopicArn, SubscribeURL = '' }: SnsMessage,
): Promise<void> {
  if (!isSnsUrl(SubscribeURL, standIn))
    throw unauthenticated('SubscribeURL: must be an address at sns.<region>.amazonaws.com.')
  const answer = await askSns(app, SubscribeURL)
  if (answer.kind !== 'answered' || answer.status !== 200) {
    const reason = answer.kind === 'answered' ? `It answered ${answer.status}.` : answer.reason
    app.log.warn({ topic: TopicArn, reason }, 'the subscription to a topic could not be confirmed')
    throw unavailable('The subscription could not be confirmed. Send the confirmation again.')
  }
  app.log.info({ topic: TopicArn }, `subscribed to the events of ${service}`)
}

const minuteMs = 60_000
/** Amazon SNS tries an address for an hour at most; an older message was kept and replayed. */
const oldestMs = 120 * minuteMs
/** A tolerance for clocks that differ. */
const aheadMs = 15 * minuteMs
/** The interval of log lines, since with a wrong clock every notification is refused. */
const logEveryMs = minuteMs

const logOf = perApp(() => ({ lastMs: Number.NEGATIVE_INFINITY }))

/** Refuses notifications that were made too long ago or in the future, since a signature is valid for ever. */
function refuseStale(app: App, { service }: { service: string }, { Timestamp, TopicArn }: SnsMessage): void {
  const nowMs = app.clock.now().getTime()
  const ageMs = nowMs - Date.parse(Timestamp)
  if (ageMs <= oldestMs && ageMs >= -aheadMs) return
  const log = logOf(app)
  if (nowMs - log.lastMs >= logEveryMs) {
    log.lastMs = nowMs
    const line = 'was refused: it was made too long ago or in the future, if the clock of this server is right'
    app.log.warn({ topic: TopicArn, made: Timestamp.slice(0, 40) }, `an event of ${service} ${line}`)
  }
  throw unauthenticated('Timestamp: must be within the last 2 hours, and at most 15 minutes ahead.')
}
