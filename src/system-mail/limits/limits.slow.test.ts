import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { TestTeam } from '../../../test/app.ts'
import type { LimitOverrides } from '../../context.ts'
import { createSystemMailApp } from '../fixtures/system-team.ts'

const posthorn = await createSystemMailApp()

async function setUp(limits: LimitOverrides) {
  const team = await posthorn.team({ limits })
  const people = [await team.member('owner'), await team.member('admin'), await team.member('developer')]
  /** The warnings that owner, admin and developer got, oldest first. */
  const subjects = async () => {
    posthorn.clock.advance(60_000)
    const reader = (await posthorn.systemTeam.member('owner')).api
    const got: string[][] = []
    for (const { email } of people) {
      const mails = (await posthorn.mailTo(email, reader)).map(({ subject }) => subject as string)
      got.push(mails.filter((subject) => subject.startsWith('The limit')).reverse())
    }
    return got
  }
  return { team, subjects }
}

async function send(team: TestTeam, count: number) {
  const email = { from: `shop@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'Hi' }
  for (let sent = 0; sent < count; sent++) assert.equal((await team.api.post('/v1/emails', email)).status, 200)
}

const near = 'The limit of 5 emails a day is near its end'
const reached = 'The limit of 5 emails a day is reached'

test('owners and admins are told at 80 % and at 100 % of the emails of a day, once each, and anew the next day', async () => {
  const { team, subjects } = await setUp({ dailyEmailLimit: 5, emailsPerSecond: 100 })
  await send(team, 3)
  assert.deepEqual(await subjects(), [[], [], []])
  await send(team, 1)
  assert.deepEqual(await subjects(), [[near], [near], []])
  await subjects()
  await send(team, 1)
  await subjects()
  assert.deepEqual(await subjects(), [[near, reached], [near, reached], []])
  posthorn.clock.advance(24 * 3_600_000)
  await send(team, 5)
  assert.deepEqual((await subjects())[0], [near, reached, reached], 'one mail where both are passed at once')
})

test('SMS and their cost have warnings of their own', async () => {
  const { team, subjects } = await setUp({ dailySmsLimit: 10, dailySmsSpendLimit: 1 })
  const use = (messages: number, units: number) =>
    sql`insert into sms_usage (team_id, day, messages_today, spend_units_today)
      values (${team.id}, ${posthorn.clock.now().toISOString().slice(0, 10)}, ${messages}, ${units})
      on conflict (team_id) do update set messages_today = ${messages}, spend_units_today = ${units}`.execute(
      posthorn.app.db,
    )
  await use(7, 7900)
  assert.deepEqual((await subjects())[0], [])
  await use(8, 7900)
  assert.deepEqual((await subjects())[0], ['The limit of 10 SMS a day is near its end'])
  await use(9, 8000)
  assert.deepEqual(
    (await subjects())[0]!.slice(1),
    ['The limit of $1 a day for SMS is reached'],
    'the dearest does not fit',
  )
})
