import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { idTimeMs, nilId } from '../../platform/ids.ts'
import { dayOf } from '../../platform/time/clock.ts'
import { findRemovedSmsThrough } from '../../teams/retention/removed-sms.ts'
import { dollars } from '../dollars.ts'
import { reportUsageJob } from '../jobs.ts'
import { checkEntries } from './check-entries.ts'
import { checkMessages } from './check-messages.ts'
import type { Differ, VerifiedTeam } from './verified-team.ts'

/** The most differences of a team that are listed; the others are only counted. */
const namedMax = 5

/** Returns the differences of one team as sentences. */
export async function checkTeam(db: Db, team: VerifiedTeam): Promise<{ messages: number; differences: string[] }> {
  const named: string[] = []
  let count = 0
  const differ = (difference: string) => {
    count++
    if (named.length < namedMax) named.push(difference)
  }
  const removedThrough = await findRemovedSmsThrough(db, team.teamId)
  const sumUnits = await checkEntries(db, team.teamId, removedThrough, differ)
  const balanceUnits = Number(team.balanceUnits ?? 0)
  if (sumUnits !== balanceUnits) {
    differ(`its credit is ${dollars(balanceUnits)}, its entries add up to ${dollars(sumUnits)}`)
  }
  const counts = await checkMessages(db, team, removedThrough, differ)
  if (!mayBeRemoved(team.day, removedThrough)) checkUsage(team, counts, differ)
  await checkReports(db, team.teamId, removedThrough, counts.reports, differ)
  const more = count > named.length ? [`and ${count - named.length} more differences`] : []
  return { messages: counts.messages, differences: [...named, ...more] }
}

/** Tells whether messages of the counters' day may have been removed. */
function mayBeRemoved(day: string | null, removedThrough: string | null): boolean {
  return day !== null && removedThrough !== null && day <= dayOf(new Date(idTimeMs(removedThrough)))
}

/** Checks the counters, which cover only the day on which they last changed. */
function checkUsage(team: VerifiedTeam, told: Awaited<ReturnType<typeof checkMessages>>, differ: Differ): void {
  const { day, messagesToday, spendUnitsToday } = team
  if (told.laterDay) differ(`messages count against ${told.laterDay}, its counters are of ${day ?? 'no day'}`)
  if (day === null) return
  if (messagesToday !== told.messagesOfDay) {
    differ(`its counter of ${day} says ${messagesToday} messages, there are ${told.messagesOfDay}`)
  }
  if (Number(spendUnitsToday) !== told.spendUnitsOfDay) {
    const [counted, spent] = [Number(spendUnitsToday), told.spendUnitsOfDay].map(dollars)
    differ(`its counter of ${day} says ${counted} spent, its messages cost ${spent}`)
  }
}

async function checkReports(
  db: Db,
  teamId: string,
  removedThrough: string | null,
  expected: number,
  differ: Differ,
): Promise<void> {
  const { rows } = await sql<{ all: string; waiting: boolean; hasJob: boolean }>`
    select (
        select count(*) from sms_usage_reports where team_id = ${teamId} and message_id > ${removedThrough ?? nilId}
      ) as all,
      exists(select from sms_usage_reports where team_id = ${teamId} and due_at is not null) as waiting,
      exists(select from jobs where kind = ${reportUsageJob.kind} and key = ${teamId}::text) as "hasJob"
  `.execute(db)
  const { all, waiting, hasJob } = rows[0]!
  if (Number(all) !== expected)
    differ(`${all} messages are reported as overage or about to be, ${expected} are overage`)
  if (waiting && !hasJob) differ('overage waits to be reported, and no job does it')
}
