import { type RawBuilder, sql } from 'kysely'
import type { Db, LimitOverrides, Plan } from '../../context.ts'
import type { DomainError } from '../../platform/errors.ts'
import { opaqueArray } from '../../platform/sql/sql-rows.ts'
import { boundsOf, storedBytesOfPlans } from './plan-bounds.ts'
import { planLimitExceeded } from './plan-limit-exceeded.ts'

export function storageFull(max: number): DomainError {
  const advice = 'Empty the inbox, or delete templates, drafts, contacts or workflows that are not needed'
  return planLimitExceeded('storedBytes', max, advice)
}

/**
 * Refuses more content if a team has reached its plan's stored bytes. Concurrent requests may exceed the bound by their
 * own size. Emails are counted exactly (`emails/quota/`).
 */
export async function refuseStorage(db: Db, teamId: string): Promise<void> {
  const refusal = (await findStorageRefusals(db, [teamId])).get(teamId)
  if (refusal) throw refusal
}

/** Returns the refusals of the teams that have reached their plan's stored bytes. */
export async function findStorageRefusals(db: Db, teamIds: string[]): Promise<Map<string, DomainError>> {
  const { rows } = await sql<{ id: string; plan: Plan; limitOverrides: LimitOverrides; storedBytes: number }>`
    select id, plan, limit_overrides as "limitOverrides", ${storedBytes} as "storedBytes"
    from teams where id = any(${teamIds}::uuid[])
  `.execute(db)
  return new Map(
    rows.flatMap((team) => {
      const { storedBytes: max } = boundsOf(team)
      return team.storedBytes >= max ? [[team.id, storageFull(max)] as const] : []
    }),
  )
}

/** A subquery of the `team_id` of teams below their plan's stored bytes, to be part of another statement. */
export function teamsWithRoom(teamIds: string[]): RawBuilder<unknown> {
  return sql`
    select id as team_id from teams
    where id = any(${opaqueArray(teamIds, 'uuid')})
      and ${storedBytes} < coalesce(limit_overrides->>'storedBytes', ${storedBytesOfPlans}::json->>plan)::float
  `
}

const storedBytes = sql`(
  coalesce((select stored_bytes from email_usage where team_id = teams.id), 0)
  + coalesce((select sum(change) from stored_byte_changes where team_id = teams.id), 0)
)::float`
