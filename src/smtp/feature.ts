import type { Feature } from '../platform/feature.ts'
import { inboundDoor } from './returned/door.ts'
import { submissionDoors } from './submission/doors.ts'

export const smtp: Feature = { name: 'smtp', doors: [...submissionDoors, inboundDoor] }
