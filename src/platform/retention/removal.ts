import type { Tx } from '../../context.ts'
import type { RemovePage } from './remove-in-team.ts'

/** The number of days for which a team keeps its data; null for ever. */
export type Retention = {
  emailBodiesDays: number | null
  emailsDays: number | null
  eventsDays: number | null
  messagesDays: number | null
  executionsDays: number | null
  inboxDays: number | null
}

/** Rows of a team that are older than the team keeps them. `days` names the field of `Retention` that says how long. */
type OldRemoval = { name: string; days: keyof Retention; remove: RemovePage }

/** Rows of a team of which there are too many. `findTeams` finds the living teams that have too many. */
export type SurplusRemoval = { name: string; days: null; remove: RemovePage; findTeams(tx: Tx): Promise<string[]> }

/** Rows that are removed in one team, as the team keeps them. Each team has a job that removes them. */
export type RemovalInTeam = OldRemoval | SurplusRemoval

/** Rows that are removed at the same age in all teams. */
export type RemovalInAllTeams = {
  /** The kind of the schedule that removes them, `folder.verb-in-kebab`. Removals may share one. */
  kind: string
  keptMs: number
  /** The time between two runs of the schedule; an hour if left out. Removals of one kind say the same. */
  everyMs?: number
  /** Removes a page of the rows from before a time, and returns how many there were; 0 if none are left. */
  remove(tx: Tx, before: Date): Promise<number>
}

export type Removal = RemovalInTeam | RemovalInAllTeams
