import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createSystemMailApp } from './fixtures/system-team.ts'

const password = 'a long and winding road'
const hourMs = 3_600_000

test('a reset is sent before the invitations that were asked for earlier', async () => {
  const posthorn = await createSystemMailApp()
  const { app, systemTeam } = posthorn
  await app.db.updateTable('teams').set({ plan: 'free' }).where('id', '=', systemTeam.id).execute()
  await posthorn.person('ada@people.test')
  const owner = await (await posthorn.team()).member('owner')
  for (let n = 0; n < 40; n++)
    await owner.api.post('/v1/team/invitations', { email: `guest${n}@people.test`, role: 'viewer' })
  await posthorn.anyone.post('/auth/password/forgot', { email: 'ada@people.test' })
  assert.equal((await posthorn.mailTo('ada@people.test')).length, 1)
  const sent = async () => (await posthorn.mailTo('guest')).length
  const first = await sent()
  assert.ok(first > 0 && first <= 10, `${first} at once`)
  for (let seconds = 0; seconds < 60; seconds += 5) await posthorn.runDueJobsAfter(5000)
  assert.equal(await sent(), 40)
})

test('30 sign-ups an hour from one network are mailed; further accounts work, and their mail is refused by name when asked for', async () => {
  const posthorn = await createSystemMailApp()
  const signUp = (n: number) => posthorn.anyone.post('/auth/signup', { email: `new${n}@people.test`, password })
  for (let n = 0; n < 31; n++) assert.equal((await signUp(n)).status, 200)
  const mails = await posthorn.mailTo('new')
  assert.equal(mails.filter(({ subject }) => subject.startsWith('Confirm')).length, 30)
  const last = posthorn.as(
    (await posthorn.anyone.post('/auth/login', { email: 'new30@people.test', password })).body.accessToken,
  )
  const refused = await last.post('/auth/verify-email/resend')
  assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'])
  assert.match(refused.body.message, /30 from your network/)
  posthorn.clock.advance(hourMs)
  const again = posthorn.as(
    (await posthorn.anyone.post('/auth/login', { email: 'new30@people.test', password })).body.accessToken,
  )
  assert.deepEqual((await again.post('/auth/verify-email/resend')).body, { sent: true })
  assert.equal((await posthorn.mailTo('new30', await reader(posthorn))).length, 1)
})

test('invitations of accounts whose address is not verified count with the sign-ups of the network, and their link is in the answer', async () => {
  const posthorn = await createSystemMailApp()
  const { body } = await posthorn.anyone.post('/auth/signup', { email: 'eve@people.test', password })
  const eve = posthorn.as(body.accessToken)
  const invite = (name: string) => eve.post('/v1/team/invitations', { email: `${name}@people.test`, role: 'viewer' })
  await invite('first')
  assert.equal((await posthorn.mailTo('first@people.test')).length, 1)
  // The sign-up and the invitation are two of the 30.
  for (let n = 0; n < 28; n++) {
    await posthorn.anyone.post('/auth/signup', { email: `new${n}@people.test`, password })
  }
  assert.match((await invite('late')).body.url, /#token=/)
  assert.equal((await posthorn.mailTo('late@people.test')).length, 0)
  await posthorn.app.db
    .updateTable('users')
    .set({ email_verified_at: posthorn.clock.now() })
    .where('email', '=', 'eve@people.test')
    .execute()
  await invite('bob')
  assert.equal((await posthorn.mailTo('bob@people.test')).length, 1)
})

test('past SYSTEM_MAIL_PER_HOUR mail waits for the next hour, and the log says so once', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const posthorn = await createSystemMailApp({ SYSTEM_MAIL_PER_HOUR: '5' }, { log })
  // Their owners are told of the sign-ins of two teams.
  const owner = await (await posthorn.team()).member('owner')
  await posthorn.runDueJobs()
  for (let n = 0; n < 5; n++)
    await owner.api.post('/v1/team/invitations', { email: `guest${n}@people.test`, role: 'viewer' })
  assert.equal((await posthorn.mailTo('guest')).length, 3)
  // Resets have a bound of their own.
  await posthorn.person('ada@people.test')
  await posthorn.anyone.post('/auth/password/forgot', { email: 'ada@people.test' })
  assert.equal((await posthorn.mailTo('ada@people.test')).length, 1)
  assert.equal(lines.filter((line) => line.includes('SYSTEM_MAIL_PER_HOUR')).length, 1)
  posthorn.clock.advance(hourMs)
  assert.equal((await posthorn.mailTo('guest', await reader(posthorn))).length, 5)
})

/** Another owner of the team of system mail, whose token is new. */
async function reader({ systemTeam }: Awaited<ReturnType<typeof createSystemMailApp>>) {
  return (await systemTeam.member('owner')).api
}
