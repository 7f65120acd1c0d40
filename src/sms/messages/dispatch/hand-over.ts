import type { App } from '../../../context.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { SmsAnswer } from '../../provider.ts'
import { beginHandOver } from './begin.ts'

/**
 * Hands the message of a job over, once at most: who finds that somebody had it to send learns that its outcome is unknown.
 * Null where the message is gone. Throws `LeaseLost` where the job is another's.
 */
export async function handOver(app: App, job: Job): Promise<SmsAnswer | null> {
  const begun = await beginHandOver(app, job)
  if (begun.kind === 'gone') return null
  if (begun.kind === 'ready') return app.smsProvider.send(begun.message)
  const message = 'The process that was handing it over ended before the answer was recorded. It is not sent again.'
  return { kind: 'unknown', message }
}
