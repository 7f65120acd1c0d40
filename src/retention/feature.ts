import type { Feature } from '../platform/feature.ts'
import type { RemovalInAllTeams, RemovalInTeam } from '../platform/retention/removal.ts'
import { lookForTeams } from './look.ts'
import { removeInAllTeams } from './remove-in-all-teams.ts'
import { removeInTeam } from './remove-in-team.ts'

/**
 * Removes old rows of the features, and rows of which a team has too many. Some are removed team by team, others in all
 * teams at once.
 */
export function retention(keepers: Feature[]): Feature {
  const removals = keepers.flatMap((keeper) => keeper.removals ?? [])
  const inTeam = removals.filter((removal): removal is RemovalInTeam => 'days' in removal)
  const inAllTeams = removals.filter((removal): removal is RemovalInAllTeams => 'keptMs' in removal)
  return {
    name: 'retention',
    jobs: [removeInTeam(inTeam)],
    schedules: [lookForTeams(inTeam), ...removeInAllTeams(inAllTeams)],
  }
}
