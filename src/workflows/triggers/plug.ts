import type { Subscription } from '../../platform/events.ts'
import type { JobDefinition } from '../../platform/jobs/job.ts'
import { hearEvents } from './events/listen.ts'
import { startHeard } from './events/start.ts'
import { fireSchedule } from './schedule/fire.ts'

export const triggerJobs: JobDefinition[] = [startHeard, fireSchedule]
export const triggerSubscriptions: Subscription[] = [hearEvents]
