import { Cron } from 'croner'
import type { ConfigFault, Draft } from '../../nodes/node.ts'

export type ScheduleConfig = { cron: string; timezone?: string }

/** Finds the first due time after `after`; null if there is none. Expects a config without `scheduleFaults`. */
export function nextDue(config: ScheduleConfig, after: Date): Date | null {
  return read(config).nextRun(after)
}

/** Finds the last due time up to and including `until`; null if there is none. */
export function lastDue(config: ScheduleConfig, until: Date): Date | null {
  return read(config).previousRuns(1, new Date(until.getTime() + 1))[0] ?? null
}

/**
 * Reads a schedule. A time that the clocks skip in spring is due immediately after the gap, and one that they show
 * twice in autumn is due once. `*` and steps follow the elapsed time.
 */
function read({ cron, timezone: given = 'UTC' }: ScheduleConfig): Cron {
  // The parser keeps a formatter for each spelling of a zone until the process ends, and a zone has any number of them.
  const timezone = zoneOf(given) ?? given
  return new Cron(cron, { paused: true, timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' })
}

export function scheduleFaults(config: Draft<ScheduleConfig>): ConfigFault[] {
  const { cron, timezone = 'UTC' } = config
  const faults: ConfigFault[] = zoneOf(timezone)
    ? []
    : [{ path: 'timezone', message: 'is not a time zone; use a name of the IANA list, such as Europe/Berlin' }]
  const message = cron === undefined ? null : cronFault(cron)
  return message === null ? faults : [{ path: 'cron', message }, ...faults]
}

/**
 * Returns the name of a time zone in its usual spelling; null if there is no such zone. An offset such as +02:00 is
 * none, because it has no daylight saving time.
 */
function zoneOf(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

function cronFault(cron: string): string | null {
  const fields = cron.trim().split(/\s+/).length
  if (fields !== 5 && fields !== 6) {
    return 'must have five fields (minute, hour, day of the month, month, day of the week), or six with the second first'
  }
  // Few other crons know the parser's extensions, and with some of them it takes long to find out that no time is due.
  // It reads all that has a colon as one date, and `0 9:00 * * *` as a day that has passed.
  if (/[?+@:]|[\dL]W/i.test(cron)) return 'takes numbers, names of months and days, and * , - / L #'
  try {
    // In UTC, so that a bad zone is not reported as a fault of the pattern. Any day shows whether a time is ever due.
    return nextDue({ cron }, new Date(0)) ? null : 'never falls due: there is no such day'
  } catch (error) {
    return `cannot be read: ${(error as Error).message.replace(/^CronPattern: /, '').slice(0, 200)}`
  }
}
