import { defineJob } from '../../../platform/jobs/job.ts'
import { deliverSmsJob } from '../../jobs.ts'
import { handOver } from './hand-over.ts'
import { recordHanded } from './record.ts'

/**
 * Takes over messages of a process that died. Hands over the messages without a mark, and records an unknown outcome for the
 * others.
 */
export const deliverSms = defineJob(deliverSmsJob, {
  concurrency: 20,
  retryDelaysMs: [5000],
  async run(app, job) {
    const answer = await handOver(app, job)
    if (!answer) return undefined
    await recordHanded(app, { job, answer, key: null })
    return 'settled'
  },
})
