import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createTestApp, ok } from '../../../../test/app.ts'
import { toldProvider } from './fixtures/told-provider.ts'

test('an email whose team is deleted while it is handed over fails without a word in the log', async () => {
  const { provider, told } = toldProvider()
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const posthorn = await createTestApp({}, { emailProvider: provider, log })
  const other = await posthorn.another()
  const [team, stays] = [await posthorn.team(), await posthorn.team()]
  const owner = await team.member('owner')
  const gone = new Set([team.id])
  told.answer = async ({ teamId }) => {
    if (gone.has(teamId)) {
      await ok(owner.api.delete('/v1/team', { confirm: 'Shop' }))
      await other.app.jobs.runDue()
    }
    throw new Error(`out of order for ${teamId}`)
  }
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  for (const { api, domain } of [team, stays]) {
    await ok(
      api.post('/v1/emails', {
        from: `a@${domain}`,
        to: ['ada@people.test'],
        subject: 'Hello',
        text: 'x',
        scheduledAt,
      }),
    )
  }
  await posthorn.runDueJobsAfter(60_000)
  const { rows } = await sql`select from teams where id = ${team.id}`.execute(posthorn.app.db)
  assert.deepEqual(rows, [], 'the team is removed')
  assert.deepEqual([lines.filter((line) => line.includes(team.id)), lines.length], [[], 1])
  assert.match(lines[0]!, /out of order for .*job failed, will be repeated/)
})
