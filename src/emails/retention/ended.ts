import { sql } from 'kysely'
import { deliverEmailJob } from '../jobs.ts'

/** The condition on `email` that nothing of it is left to send: all recipients have their answer, or it was cancelled. */
export const hasEnded = sql<boolean>`(email.status <> 'scheduled' and not email.dispatching and not exists (
  select from jobs where kind = ${sql.lit(deliverEmailJob.kind)} and key = email.id::text
))`
