import type { RemovePage } from './remove-page.ts'

/** The number of days for which a team keeps its data; null for ever. */
export type Retention = {
  emailBodiesDays: number | null
  emailsDays: number | null
  eventsDays: number | null
  messagesDays: number | null
  executionsDays: number | null
  inboxDays: number | null
}

/** A kind of rows that are removed. `days`: what says how old they must be; null if their number does. */
export type Removal = { name: string; days: keyof Retention | null; remove: RemovePage }
