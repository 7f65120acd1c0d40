import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../test/app.ts'

const posthorn = await sharedTestApp()
const { api } = await posthorn.team()
const now = posthorn.clock.now()

async function starts(query: string): Promise<string[]> {
  const body = await ok(api.get(`/v1/metrics/emails?${query}`))
  return body.data.map(({ at }: { at: string }) => at.replace(':00.000Z', ''))
}

const ask = (parameters: Record<string, string>) => starts(new URLSearchParams(parameters).toString())

test('without parameters there are the last 30 days, today included', async () => {
  const days = await starts('')
  const today = now.toISOString().slice(0, 10)
  assert.deepEqual([days.length, days.at(-1)], [30, `${today}T00:00`])
  assert.equal((await starts('interval=hour')).length, 720)
})

test('points are whole: the first holds from, and the last ends at or after until', async () => {
  const range = { from: '2030-06-01T10:30:00Z', until: '2030-06-03T00:00:00Z' }
  assert.deepEqual(await ask(range), ['2030-06-01T00:00', '2030-06-02T00:00'])
  assert.deepEqual(await ask({ ...range, until: '2030-06-01T12:00:01Z', interval: 'hour' }), [
    '2030-06-01T10:00',
    '2030-06-01T11:00',
    '2030-06-01T12:00',
  ])
  assert.deepEqual(await ask({ from: '2030-06-01T10:30:00+05:30', until: '2030-06-01T12:00:00+05:30' }), [
    '2030-06-01T00:00',
  ])
})

test('days are those of the time zone, of 23 and 25 hours where the clocks change', async () => {
  const timezone = 'Europe/Berlin'
  assert.deepEqual(await ask({ timezone, from: '2030-03-30T12:00:00Z', until: '2030-04-01T12:00:00Z' }), [
    '2030-03-29T23:00',
    '2030-03-30T23:00',
    '2030-03-31T22:00',
  ])
  assert.deepEqual(await ask({ timezone, from: '2030-10-26T12:00:00Z', until: '2030-10-28T12:00:00Z' }), [
    '2030-10-25T22:00',
    '2030-10-26T22:00',
    '2030-10-27T23:00',
  ])
})

test('days begin at the nearest full hour where a zone is off by part of one', async () => {
  const range = { from: '2030-06-01T12:00:00Z', until: '2030-06-02T12:00:00Z' }
  assert.deepEqual(await ask({ ...range, timezone: 'Asia/Kolkata' }), ['2030-05-31T19:00', '2030-06-01T19:00'])
  assert.deepEqual(await ask({ ...range, timezone: 'Asia/Kathmandu' }), ['2030-05-31T18:00', '2030-06-01T18:00'])
  // Between the midnight of the zone and the hour that the day begins with.
  const early = { from: '2030-06-01T18:45:00Z', until: '2030-06-01T18:50:00Z', timezone: 'Asia/Kolkata' }
  assert.deepEqual(await ask(early), ['2030-05-31T19:00'])
})

test('a day begins when the clocks skip its midnight', async () => {
  const range = { from: '2030-04-25T12:00:00Z', until: '2030-04-26T12:00:00Z', timezone: 'Africa/Cairo' }
  assert.deepEqual(await ask(range), ['2030-04-24T22:00', '2030-04-25T22:00'])
})

const refused: [query: Record<string, string>, message: RegExp][] = [
  [{ from: '2030-06-02T00:00:00Z', until: '2030-06-01T00:00:00Z' }, /from: must be before "until"; it was "2030-06-02/],
  [{ from: '2031-01-01T00:00:00Z' }, /from: must be before "until"; .* now is 2030/],
  [{ from: 'yesterday' }, /from/],
  [{ timezone: 'Mars/Olympus' }, /timezone: must be .* it was "Mars\/Olympus"/],
  [{ interval: 'week' }, /interval/],
  [{ interval: 'hour', from: '2029-06-15T00:00:00Z' }, /750 points .* Ask for a shorter range, or by day/],
  [{ from: '0001-01-01T00:00:00Z', until: '9999-12-31T00:00:00Z' }, /750 points/],
]
for (const [query, message] of refused) {
  test(`${new URLSearchParams(query)} is refused with the reason`, async () => {
    const answer = await api.get(`/v1/metrics/emails?${new URLSearchParams(query)}`)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.message, message)
  })
}

test('750 points are given and 751 are refused', async () => {
  const from = '2030-01-01T00:00:00.000Z'
  const untilOf = (count: number, ms: number) => new Date(Date.parse(from) + count * ms).toISOString()
  for (const [interval, ms] of [
    ['hour', 3_600_000],
    ['day', 86_400_000],
  ] as const) {
    assert.equal((await ask({ from, interval, until: untilOf(750, ms) })).length, 750)
    const query = new URLSearchParams({ from, interval, until: untilOf(751, ms) })
    assert.equal((await api.get(`/v1/metrics/emails?${query}`)).status, 400)
  }
})

test('a time whose points would begin before the year 1, or after the year 9999, is refused', async () => {
  for (const query of [
    'until=0000-01-01T00:00:00Z&interval=hour',
    'until=0001-01-15T00:00:00Z',
    'from=0000-12-31T00:00:00Z&until=0001-01-15T00:00:00Z',
    'from=9999-12-31T00:00:00Z&until=9999-12-31T23:59:00-12:00',
    'until=0000-01-01T00:00:00%2B01:00',
  ]) {
    const { status } = await api.get(`/v1/metrics/emails?${query}`)
    assert.equal(status, 400, query)
  }
})
