import { sql } from 'kysely'
import type { Db, LimitOverrides, Plan } from '../../context.ts'
import type { DomainError } from '../../platform/errors.ts'
import { boundsOf } from './plan-bounds.ts'
import { planLimitExceeded } from './plan-limit-exceeded.ts'

export function storageFull(max: number): DomainError {
  const advice = 'Empty the inbox, or delete templates, drafts, contacts or workflows that are not needed'
  return planLimitExceeded('storedBytes', max, advice)
}

/**
 * Refuses more content where a team stores as much as its plan allows. Not exact: requests that race may pass the bound by
 * what they carry, which is little beside it. Emails are counted exactly (`emails/quota/`).
 */
export async function refuseStorage(db: Db, teamId: string): Promise<void> {
  const { rows } = await sql<{ plan: Plan; limitOverrides: LimitOverrides; storedBytes: number }>`
    select plan, limit_overrides as "limitOverrides", (
      coalesce((select stored_bytes from email_usage where team_id = teams.id), 0)
      + coalesce((select sum(change) from stored_byte_changes where team_id = teams.id), 0)
    )::float as "storedBytes"
    from teams where id = ${teamId}
  `.execute(db)
  const [team] = rows
  if (!team) return
  const { storedBytes: max } = boundsOf(team)
  if (team.storedBytes >= max) throw storageFull(max)
}
