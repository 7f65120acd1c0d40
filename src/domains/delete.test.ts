import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { whileLocked } from '../../test/while-locked.ts'
import type { EmailProvider } from '../emails/provider.ts'
import { findSendingDomains, sendingDomainKey } from './queries.ts'

let handOver = async () => {}
/** Accepts every email, once the test allows it. */
const slowProvider: EmailProvider = {
  name: 'slow',
  signs: false,
  async send({ envelope }) {
    await handOver()
    return { kind: 'answered', accepted: envelope.to, facts: [], response: null }
  },
  close: async () => undefined,
}
const posthorn = await createTestApp({}, { emailProvider: slowProvider })
const { app, clock } = posthorn

function send(team: TestTeam, scheduledInMs?: number) {
  const scheduledAt =
    scheduledInMs === undefined ? {} : { scheduledAt: new Date(clock.now().getTime() + scheduledInMs).toISOString() }
  const email = {
    from: `shop@${team.domain}`,
    to: ['somebody@elsewhere.test'],
    subject: 'Hello',
    text: 'Hello',
    ...scheduledAt,
  }
  return team.api.post('/v1/emails', email)
}

test('a deleted domain is gone, and its name can be added again', async () => {
  const team = await posthorn.team()
  const path = `/v1/domains/${team.domainId}`
  assert.equal((await send(team)).status, 200)
  assert.deepEqual((await team.api.delete(path)).body, { id: team.domainId, deleted: true })
  assert.equal((await team.api.get(path)).status, 404)
  assert.equal((await team.api.delete(path)).status, 404)
  assert.equal((await send(team)).status, 403)
  assert.equal((await team.api.post('/v1/domains', { name: team.domain })).status, 200)
})

test('a domain with a scheduled email is not deleted until the email is sent or cancelled', async () => {
  const team = await posthorn.team()
  const path = `/v1/domains/${team.domainId}`
  const scheduled = await send(team, 60_000)
  const refused = await team.api.delete(path)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.equal((await team.api.get(path)).body.status, 'verified')
  await team.api.post(`/v1/emails/${scheduled.body.id}/cancel`)
  assert.equal((await team.api.delete(path)).status, 200)
})

test('the deletion of a domain that is sending is refused without waiting for its sends or holding them up', async () => {
  const team = await posthorn.team()
  await send(team, 60_000)
  const lock = sql`select from domains where id = ${team.domainId} for key share`
  const refused = await whileLocked(app, lock, () => team.api.delete(`/v1/domains/${team.domainId}`))
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
})

test('a domain with an email that is tried again later is not deleted', async () => {
  const team = await posthorn.team()
  const path = `/v1/domains/${team.domainId}`
  await send(team, 60_000)
  const setStatus = (status: string) =>
    sql`update domains set status = ${status} where id = ${team.domainId}`.execute(app.db)
  await setStatus('failed')
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get('/v1/emails')).body.data[0].status, 'delayed')
  assert.equal((await team.api.delete(path)).status, 409)
  await setStatus('verified')
  await posthorn.runDueJobsAfter(600_000)
  assert.equal((await team.api.get('/v1/emails')).body.data[0].status, 'sent')
  assert.equal((await team.api.delete(path)).status, 200)
})

test('exactly one of an email and a concurrent deletion is refused', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const team = await posthorn.team()
    const remove = () => team.api.delete(`/v1/domains/${team.domainId}`)
    const [sent, deleted] =
      round % 2
        ? await Promise.all([send(team, 60_000), remove()])
        : (await Promise.all([remove(), send(team, 60_000)])).reverse()
    outcomes.add(`${sent!.status} ${deleted!.status}`)
  }
  for (const outcome of outcomes) assert(['200 409', '403 200'].includes(outcome), outcome)
})

test('a deletion waits for an email that is being accepted, and sees it', async () => {
  const team = await posthorn.team()
  const locked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const accepting = app.transaction(async (tx) => {
    const names = [team.domain, team.domain, 'unknown.test']
    const wanted = names.map((name) => ({ teamId: team.id, name }))
    const found = await findSendingDomains(tx, wanted, { lock: true })
    assert.deepEqual(
      [...found.values()].map(({ id }) => id),
      [team.domainId],
    )
    locked.resolve()
    await goOn.promise
  })
  await locked.promise
  let isDeleted = false
  const deleting = team.api.delete(`/v1/domains/${team.domainId}`).then((answer) => {
    isDeleted = true
    return answer
  })
  // Other requests do not wait, and answering them takes longer than a deletion that does not wait.
  for (let i = 0; i < 3; i++) assert.equal((await team.api.get(`/v1/domains/${team.domainId}`)).status, 200)
  assert(!isDeleted)
  goOn.resolve()
  await accepting
  assert.equal((await deleting).status, 200)
})

test('one statement finds the domains of many teams, verified or not, and each team gets only its own', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  await team.api.post('/v1/domains', { name: 'unverified.test' })
  const names = [team.domain, other.domain, 'unverified.test']
  const wanted = [team, other].flatMap(({ id }) => names.map((name) => ({ teamId: id, name })))
  const found = await findSendingDomains(app, wanted, { lock: false })
  assert.deepEqual(
    new Set([...found.values()].map(({ teamId, name }) => `${teamId} ${name}`)),
    new Set([`${team.id} ${team.domain}`, `${team.id} unverified.test`, `${other.id} ${other.domain}`]),
  )
  const { dkimPrivateKey, ...domain } = found.get(sendingDomainKey({ teamId: team.id, name: team.domain }))!
  assert.match(dkimPrivateKey, /^v2\./)
  assert.deepEqual(domain, {
    ...{
      teamId: team.id,
      id: team.domainId,
      name: team.domain,
      status: 'verified',
      tls: 'opportunistic',
      dkimSelector: 'posthorn',
      region: 'us-east-1',
    },
    ...{ clickTracking: false, openTracking: false, isTrackingVerified: false, returnPath: `send.${team.domain}` },
  })
  assert.equal((await findSendingDomains(app, [], { lock: true })).size, 0)
})

test('a domain whose email is being handed over is not deleted', async () => {
  const team = await posthorn.team()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  handOver = async () => {
    begun.resolve()
    await goOn.promise
  }
  const sending = send(team)
  await begun.promise
  assert.equal((await team.api.delete(`/v1/domains/${team.domainId}`)).status, 409)
  goOn.resolve()
  assert.equal((await sending).status, 200)
  assert.equal((await team.api.delete(`/v1/domains/${team.domainId}`)).status, 200)
})
