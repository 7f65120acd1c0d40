/** A team's balance and counters; each is null if the team has no row for it. */
export type VerifiedTeam = {
  teamId: string
  balanceUnits: string | null
  day: string | null
  messagesToday: number | null
  spendUnitsToday: string | null
}

/** Records a difference as a sentence. */
export type Differ = (difference: string) => void
