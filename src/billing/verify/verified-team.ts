/** A team's balance and counters; null if it has no such row. */
export type VerifiedTeam = {
  teamId: string
  balanceUnits: string | null
  day: string | null
  messagesToday: number | null
  spendUnitsToday: string | null
}

/** Records a difference, in words. */
export type Differ = (difference: string) => void
