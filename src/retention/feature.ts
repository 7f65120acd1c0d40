import type { Feature } from '../platform/feature.ts'
import { lookForOld } from './look.ts'
import { removeOld } from './remove-old.ts'

/** Removes old rows of the features that keep any. */
export function retention(keepers: Feature[]): Feature {
  return {
    name: 'retention',
    jobs: [removeOld(keepers.flatMap(({ removals = [] }) => removals))],
    schedules: [lookForOld],
  }
}
