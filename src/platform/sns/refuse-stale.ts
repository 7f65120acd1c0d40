import type { App } from '../../context.ts'
import { unauthenticated } from '../errors.ts'
import { perApp } from '../per-app.ts'
import type { SnsMessage } from './message.ts'

const minuteMs = 60_000
/** Amazon SNS tries an address for an hour at most; an older message was kept and replayed. */
const oldestMs = 120 * minuteMs
/** A tolerance for clocks that differ. */
const aheadMs = 15 * minuteMs
/** The interval of log lines, since with a wrong clock every notification is refused. */
const logEveryMs = minuteMs

const logOf = perApp(() => ({ lastMs: Number.NEGATIVE_INFINITY }))

/** Refuses notifications that were made too long ago or in the future, since a signature is valid for ever. */
export function refuseStale(app: App, { service }: { service: string }, { Timestamp, TopicArn }: SnsMessage): void {
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
