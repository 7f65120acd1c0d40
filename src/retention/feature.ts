import type { Feature } from '../platform/feature.ts'
import type { AgeRemoval, TeamRemoval } from '../platform/retention/removal.ts'
import { lookForOld } from './look.ts'
import { removeAged } from './remove-aged.ts'
import { removeOld } from './remove-old.ts'

/** Removes old rows of the features that keep any. */
export function retention(keepers: Feature[]): Feature {
  const removals = keepers.flatMap((keeper) => keeper.removals ?? [])
  const ofTeams = removals.filter((removal): removal is TeamRemoval => 'days' in removal)
  const ofAll = removals.filter((removal): removal is AgeRemoval => 'keptMs' in removal)
  return { name: 'retention', jobs: [removeOld(ofTeams)], schedules: [lookForOld(ofTeams), ...removeAged(ofAll)] }
}
