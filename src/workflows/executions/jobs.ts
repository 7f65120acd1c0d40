import { defineJob, type JobDefinition } from '../../platform/jobs/job.ts'
import { runExecutionJob, unparkExecutionJob } from '../jobs.ts'
import { runExecution } from './engine/run.ts'
import { unparkExecution } from './engine/unpark.ts'
import { forgetExecutions } from './forget.ts'

const retryDelaysMs = [1000, 5000, 30_000]

export const executionJobs: JobDefinition[] = [
  defineJob(runExecutionJob, { fair: true, concurrency: 1000, retryDelaysMs, run: runExecution }),
  defineJob(unparkExecutionJob, { concurrency: 1000, retryDelaysMs, run: unparkExecution }),
  forgetExecutions,
]
