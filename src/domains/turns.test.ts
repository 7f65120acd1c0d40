import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { startDnsServer } from '../../test/dns.ts'
import { slowTest } from '../../test/slow.ts'
import { countTurnsBefore } from '../../test/turns.ts'
import { checkDomainJob } from './jobs.ts'

const dns = await startDnsServer()
const posthorn = await createTestApp({ DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.example.com' })

/** Adds domains and asks for their checks, which are repeated in the background as no records are published. */
async function addDomains(team: TestTeam, count: number) {
  for (let n = 0; n < count; n++) {
    const { body } = await team.api.post('/v1/domains', { name: `d${n}.${team.domain.replace('.test', '.com')}` })
    await ok(team.api.post(`/v1/domains/${body.id}/verify`))
  }
}

slowTest('checks of 120 domains of a team delay the check of another team by a few turns', async () => {
  await addDomains(await posthorn.team(), 120)
  posthorn.clock.advance(1000)
  const team = await posthorn.team()
  await addDomains(team, 1)
  posthorn.clock.advance(24 * 3_600_000)
  const turns = await countTurnsBefore(posthorn, checkDomainJob.kind, team.id)
  assert.ok(turns <= 8, `${turns} turns`)
})

test('a team whose DNS servers are silent leaves places to the checks of others', async () => {
  const busy = await posthorn.team()
  await addDomains(busy, 20)
  const team = await posthorn.team()
  await addDomains(team, 1)
  posthorn.clock.advance(24 * 3_600_000)
  const { asked, release } = dns.hold()
  const definition = posthorn.app.jobs.definitionOf(checkDomainJob.kind)!
  const { run } = definition
  const begun: (string | null)[] = []
  definition.run = (app, job) => {
    begun.push(job.teamId)
    return run(app, job)
  }
  const running = posthorn.runDueJobs()
  await asked
  // Further checks are begun only once these have ended.
  const atOnce = [...begun]
  release()
  await running
  definition.run = run
  assert.ok(atOnce.includes(team.id), `${atOnce.length} checks at once`)
  assert.ok(atOnce.filter((id) => id === busy.id).length <= 4)
})
