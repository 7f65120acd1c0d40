import type { App, Tx } from '../context.ts'

const hourMs = 3_600_000
const windowsMs = { hour: hourMs, day: 24 * hourMs }

/** At most `max` mails of a kind in an hour or a day of the UTC clock, for a subject: an address, or an id. */
type Bound = { kind: string; subject: string; max: number; per: keyof typeof windowsMs; count?: number }

/** The time at which the next hour of the UTC clock begins. */
export function nextHour(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % hourMs) + hourMs)
}

/**
 * A mail past one of several bounds is not sent. The unit of work is undone, with what it counted against the others.
 */
export class BoundReached extends Error {}

/** Counts mails, one without `count`, against a bound. False if the bound is reached, and none of them must be sent. */
export async function countSystemMail(
  tx: Tx,
  { keyring }: Pick<App, 'keyring'>,
  { kind, subject, max, per, count = 1 }: Bound,
): Promise<boolean> {
  const since = new Date(tx.now.getTime() - (tx.now.getTime() % windowsMs[per]))
  const row = { since, kind, subject: keyring.sign('system-mail', subject, 16), count }
  const counted = await tx.db
    .insertInto('system_mail_counts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['since', 'kind', 'subject'])
        .doUpdateSet((eb) => ({ count: eb('system_mail_counts.count', '+', count) }))
        .where('system_mail_counts.count', '<', max),
    )
    .returning('count')
    .executeTakeFirst()
  return counted !== undefined
}
