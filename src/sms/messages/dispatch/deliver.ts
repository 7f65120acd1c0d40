import { defineJob } from '../../../platform/jobs/job.ts'
import { deliverSmsJob } from '../../jobs.ts'
import { handOverWaiting } from './hand-over.ts'
import { endDiscarded, recordHanded } from './record.ts'

/**
 * Takes over messages of a process that died. Hands over the messages without a mark, and records an unknown outcome
 * for the others.
 */
export const deliverSms = defineJob(deliverSmsJob, {
  atRestore: 'discard',
  concurrency: 20,
  retryDelaysMs: [5000, 30_000, 2 * 60_000, 10 * 60_000],
  // A code or a notice is useless hours later.
  attemptsMax: 5,
  onDiscard: endDiscarded,
  onRetry: async () => 'The message has ended, and its charge is settled. Its team sends it again.',
  async run(app, job) {
    const answer = await handOverWaiting(app, job)
    if (!answer) return undefined
    await recordHanded(app, { job, answer, key: null })
    return 'recorded'
  },
})
