import { defineJob, type JobDefinition } from '../../platform/jobs/job.ts'
import { runExecutionJob, unparkExecutionJob } from '../jobs.ts'
import { adviseRerun, failDiscarded, takeUpsMax } from './engine/give-up.ts'
import { runExecution } from './engine/run.ts'
import { unparkExecution } from './engine/unpark.ts'
import { forgetExecutions } from './forget.ts'

const retryDelaysMs = [1000, 5000, 30_000]

export const executionJobs: JobDefinition[] = [
  defineJob(runExecutionJob, {
    fair: true,
    concurrency: 1000,
    retryDelaysMs,
    attemptsMax: takeUpsMax,
    // Nodes and executions count their own, so that the node is found at which processes end.
    takeUpsMax: Number.POSITIVE_INFINITY,
    run: runExecution,
    onDiscard: failDiscarded,
    onRetry: adviseRerun,
  }),
  defineJob(unparkExecutionJob, {
    concurrency: 1000,
    retryDelaysMs,
    run: unparkExecution,
    onDiscard: failDiscarded,
    onRetry: adviseRerun,
  }),
  forgetExecutions,
]
