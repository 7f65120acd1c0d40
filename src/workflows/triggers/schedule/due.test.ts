import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../../test/for-all.ts'
import { pluck } from '../../../../test/pluck.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { lastDue, nextDue, type ScheduleConfig, scheduleFaults } from './due.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

function dueTimes(config: ScheduleConfig, after: string, count: number): string[] {
  const times: string[] = []
  for (let at = new Date(after); times.length < count; ) {
    at = nextDue(config, at)!
    times.push(at.toISOString())
  }
  return times
}

test('a time that the clocks skip is due once, immediately after the gap', () => {
  const config = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
  assert.deepEqual(dueTimes(config, '2030-03-30T12:00:00Z', 2), [
    '2030-03-31T01:00:00.000Z',
    '2030-04-01T00:30:00.000Z',
  ])
})

test('a time that the clocks show twice is due once', () => {
  const config = { cron: '0,30 2 * * *', timezone: 'Europe/Berlin' }
  assert.deepEqual(dueTimes(config, '2030-10-26T12:00:00Z', 3), [
    ...['2030-10-27T00:00:00.000Z', '2030-10-27T00:30:00.000Z', '2030-10-28T01:00:00.000Z'],
  ])
})

test('a zone is due at the same times in any spelling, and its spellings take no memory of their own', (t) => {
  const { mock } = t.mock.method(Intl, 'DateTimeFormat')
  const due = ['Europe/Berlin', 'europe/berlin', 'eUrope/Berlin', 'EUROPE/BERLIN'].map((timezone) =>
    dueTimes({ cron: '30 2 * * *', timezone }, '2030-06-15T12:00:00Z', 1),
  )
  assert.deepEqual(new Set(due.flat()), new Set(['2030-06-16T00:30:00.000Z']))
  // The parser keeps the formatters that it makes, which show the hour.
  const kept = mock.calls.map(({ arguments: [, options] }) => options).filter((options) => options?.hour)
  assert.equal(
    kept.some((options) => options?.timeZone === 'eUrope/Berlin'),
    false,
  )
})

test('steps follow the elapsed time, whatever the clocks show', () => {
  const config = { cron: '*/30 * * * *', timezone: 'Europe/Berlin' }
  for (const start of ['2030-03-30T23:00:00Z', '2030-10-26T23:00:00Z']) {
    const times = dueTimes(config, start, 8).map((time) => Date.parse(time))
    assert.deepEqual(
      times.map((time) => time - Date.parse(start)),
      times.map((_, index) => (index + 1) * 30 * minuteMs),
    )
  }
})

test('the first of six fields is the second, and the default zone is UTC', () => {
  assert.deepEqual(dueTimes({ cron: '*/20 0 9 * * MON' }, '2030-06-15T12:00:00Z', 4), [
    ...['2030-06-17T09:00:00.000Z', '2030-06-17T09:00:20.000Z', '2030-06-17T09:00:40.000Z'],
    '2030-06-24T09:00:00.000Z',
  ])
})

const field = (min: number, max: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map(String) },
  )
const times = fc.date({ min: new Date('2025-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })

/** If both day and weekday are given, one of them has to fit, as in every cron. */
function matches(cron: string, at: Date): boolean {
  const fits = (name: string, value: number) => name === '*' || name.split(',').includes(String(value))
  const [minute, hour, day, month, weekday] = cron.split(' ') as [string, string, string, string, string]
  const [isDay, isWeekday] = [fits(day, at.getUTCDate()), fits(weekday, at.getUTCDay())]
  const dayFits = day !== '*' && weekday !== '*' ? isDay || isWeekday : isDay && isWeekday
  const clockFits = fits(minute, at.getUTCMinutes()) && fits(hour, at.getUTCHours())
  return clockFits && fits(month, at.getUTCMonth() + 1) && dayFits
}

propertyTest('the next due time is the first that fits the fields, and the last due time finds it again', () => {
  const crons = fc.tuple(field(0, 59), field(0, 23), field(1, 31), fc.constant('*'), field(0, 6))
  forAll(100, crons, times, (fields, after) => {
    const cron = fields.join(' ')
    const next = nextDue({ cron }, after)!
    const first = Math.floor(after.getTime() / minuteMs) * minuteMs + minuteMs
    // A 31st may be 62 days away, so every minute up to then is tried.
    let at = first
    while (!matches(cron, new Date(at))) at += minuteMs
    assert.equal(next.toISOString(), new Date(at).toISOString())
    assert.equal(lastDue({ cron }, next)?.toISOString(), next.toISOString())
    assert.equal(lastDue({ cron }, new Date(next.getTime() + 999))?.toISOString(), next.toISOString())
  })
})

propertyTest('a time of day is due exactly once on each day of any zone', () => {
  const zones = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'America/Havana',
    'Australia/Lord_Howe',
    'Asia/Tehran',
  )
  const clock = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }))
  forAll(20, zones, clock, times, (timezone, [minute, hour], from) => {
    const dayOf = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short' })
    const config = { cron: `${minute} ${hour} * * *`, timezone }
    // All days of a year, with both changes of the clocks.
    const days = dueTimes(config, from.toISOString(), 370).map((time) => dayOf.format(new Date(time)))
    const start = Date.parse(days[0]!)
    assert.deepEqual(
      days,
      days.map((_, index) => new Date(start + index * dayMs).toISOString().slice(0, 10)),
    )
  })
})

test('a schedule that is invalid or never due is a fault that names its field', () => {
  const bad: [ScheduleConfig, string, RegExp][] = [
    [{ cron: '0 0 30 2 *' }, 'cron', /never falls due/],
    [{ cron: '0 0 31 4,6,9,11 *' }, 'cron', /never falls due/],
    [{ cron: '* * * *' }, 'cron', /five fields/],
    [{ cron: '* * * * * * *' }, 'cron', /five fields/],
    [{ cron: '' }, 'cron', /five fields/],
    [{ cron: '@daily' }, 'cron', /five fields/],
    [{ cron: '2030-01-01T00:00:00' }, 'cron', /five fields/],
    [{ cron: '61 * * * *' }, 'cron', /minute: 61/],
    [{ cron: '0 24 * * *' }, 'cron', /hour: 24/],
    [{ cron: '*/0 * * * *' }, 'cron', /stepping/],
    [{ cron: '* * * * MOON' }, 'cron', /cannot be read/],
    [{ cron: '? * * * *' }, 'cron', /takes numbers/],
    [{ cron: '0 9:00 * * *' }, 'cron', /takes numbers/],
    [{ cron: 'Jan 1 2020 10:00:00 GMT' }, 'cron', /takes numbers/],
    [{ cron: '0 0 1W * *' }, 'cron', /takes numbers/],
    [{ cron: '0 9 * * *', timezone: 'Mars/Base' }, 'timezone', /IANA/],
    [{ cron: '0 9 * * *', timezone: '+02:00' }, 'timezone', /IANA/],
    [{ cron: '0 9 * * *', timezone: '' }, 'timezone', /IANA/],
  ]
  for (const [config, path, message] of bad) {
    const faults = scheduleFaults(config)
    assert.deepEqual(pluck(faults, 'path'), [path], JSON.stringify(config))
    assert.match(faults[0]!.message, message)
  }
  assert.equal(scheduleFaults({ cron: 'never', timezone: 'nowhere' }).length, 2)
  for (const cron of ['0 9 * * MON-FRI', '0 0 L * *', '0 0 29 2 *', '*/5 8-18 * * 1#1', '0 0 0 1 JAN *']) {
    assert.deepEqual(scheduleFaults({ cron, timezone: 'Europe/Berlin' }), [], cron)
  }
})
