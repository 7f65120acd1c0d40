import type { JobDefinition } from '../../platform/jobs/job.ts'
import { parkedKind, runKind } from './engine/kinds.ts'
import { runExecution } from './engine/run.ts'
import { unparkExecution } from './engine/unpark.ts'
import { forgetExecutions } from './forget.ts'

const retryDelaysMs = [1000, 5000, 30_000]

export const executionJobs: JobDefinition[] = [
  { kind: runKind, fair: true, concurrency: 1000, retryDelaysMs, run: runExecution },
  { kind: parkedKind, concurrency: 1000, retryDelaysMs, run: unparkExecution },
  forgetExecutions,
]
