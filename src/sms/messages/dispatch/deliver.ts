import { defineJob } from '../../../platform/jobs/job.ts'
import { deliverSmsJob } from '../../jobs.ts'
import { handOver } from './hand-over.ts'
import { recordHanded } from './record.ts'

/** Takes over what a dead process had accepted: sends it where it was not handed over, and says so where it was. */
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
