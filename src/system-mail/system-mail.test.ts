import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Event } from '../events.ts'
import { publish } from '../platform/events.ts'
import { suppressAddresses } from '../suppressions/suppress.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp()
const { app, systemTeam, operator } = posthorn
let people = 0

const nextAddress = () => `person${++people}@people.test`
const announce = (event: Event) => app.transaction((tx) => publish(tx, [event]))
const askFor = (name: 'verification' | 'reset', userId: string) =>
  name === 'reset'
    ? announce({ type: 'account.reset_requested', teamId: systemTeam.id, data: { userId } })
    : announce({ type: 'account.verification_requested', teamId: systemTeam.id, data: { userId, isResend: false } })

test('a request to verify an address sends one signed mail with a link, from the sender of system mail', async () => {
  const address = nextAddress()
  await askFor('verification', await posthorn.person(address, { emailVerified: false }))
  const [mail, ...more] = await posthorn.mailTo(address)
  assert.equal(more.length, 0)
  assert.equal(mail.from, 'Posthorn <hello@mail.posthorn.test>')
  assert.equal(mail.subject, 'Confirm your email address')
  assert.match(mail.text, /\nhttps:\/\/posthorn\.test\/app\/verify#token=[\w-]{43}\n/)
  assert.match(mail.headers['DKIM-Signature'], /d=mail\.posthorn\.test/)
  assert.equal(mail.headers['Auto-Submitted'], 'auto-generated')
  const email = await operator.api.get(`/v1/emails/${mail.emailId}`)
  assert.equal(email.body.status, 'delivered')
})

test('the HTML says the same, adapts to a dark screen, loads nothing and is never tracked', async () => {
  const address = nextAddress()
  await askFor('reset', await posthorn.person(address))
  const [mail] = await posthorn.mailTo(address)
  assert.match(mail.html, /<meta name="color-scheme" content="light dark">/)
  assert.doesNotMatch(mail.html, /<img|<script|src=|url\(|data-|https:\/\/posthorn\.test\/(?!app\/reset#token=)/)
  const [, link] = /\n(https:\/\/\S+)\n/.exec(mail.text)!
  assert.ok(mail.html.includes(`href="${link}"`), 'the same link')
  assert.ok(!('List-Unsubscribe' in mail.headers))
})

test('the link of a reset sets the password', async () => {
  const address = nextAddress()
  await askFor('reset', await posthorn.person(address))
  const [mail] = await posthorn.mailTo(address)
  const [, token] = /token=([\w-]+)/.exec(mail.text)!
  await posthorn.anyone.post('/auth/password/reset', { token, password: 'correct horse battery' })
  const login = await posthorn.anyone.post('/auth/login', { email: address, password: 'correct horse battery' })
  assert.notEqual(login.status, 401, login.text)
})

test('no job holds a token, and asking for a reset twice before the mail is sent sends one mail', async () => {
  const address = nextAddress()
  const userId = await posthorn.person(address)
  await askFor('reset', userId)
  await askFor('reset', userId)
  const { rows } = await sql<{ payload: unknown }>`
    select payload from jobs where kind = 'system-mail.send' and key like ${`%${userId}`}
  `.execute(app.db)
  assert.deepEqual(rows, [{ payload: { about: 'reset', userId } }])
  assert.equal((await posthorn.mailTo(address)).length, 1)
})

test('a verified address gets no mail to verify it, and a deleted account none at all', async () => {
  const [verified, deleted] = [nextAddress(), nextAddress()]
  await askFor('verification', await posthorn.person(verified))
  const userId = await posthorn.person(deleted)
  await askFor('reset', userId)
  await sql`delete from users where id = ${userId}`.execute(app.db)
  assert.deepEqual([...(await posthorn.mailTo(verified)), ...(await posthorn.mailTo(deleted))], [])
})

test('a sign-in from a new network is told with its time, address and program, as one safe line', async () => {
  const address = nextAddress()
  const userId = await posthorn.person(address)
  const userAgent = `Mozilla/5.0 <b>evil.example</b>\r\n\u202ehttp://evil.example/${'x'.repeat(500)}`
  const data = { userId, address: '203.0.113.7', userAgent }
  await announce({ type: 'account.signed_in_elsewhere', teamId: systemTeam.id, data })
  const [mail] = await posthorn.mailTo(address)
  assert.equal(mail.subject, 'New sign-in to your account')
  assert.match(
    mail.text,
    /Network address: 203\.0\.113\.7\. Program: Mozilla\/5\.0 <b>evil example<\/b> http evil example\/x{10,}…\./,
  )
  assert.match(mail.html, /&lt;b&gt;evil example/)
  assert.doesNotMatch(`${mail.text}${mail.html}`, /evil\.example|\u202e|x{200}/)
})

test('only owners and admins of its team see system mail; its other members and API keys do not', async () => {
  const address = nextAddress()
  await askFor('reset', await posthorn.person(address))
  const [mail] = await posthorn.mailTo(address)
  const own = {
    from: `shop@${systemTeam.domain}`,
    to: [`friend-of-${address}`],
    subject: 'Set a new table',
    text: 'Hi',
  }
  assert.equal((await systemTeam.api.post('/v1/emails', own)).status, 200)
  const views = {
    owner: operator.api,
    admin: (await systemTeam.member('admin')).api,
    developer: (await systemTeam.member('developer')).api,
    viewer: (await systemTeam.member('viewer')).api,
    key: systemTeam.api,
  }
  for (const [name, api] of Object.entries(views)) {
    const may = name === 'owner' || name === 'admin'
    const paths = [`/v1/inbox/${mail.id}`, `/v1/emails/${mail.emailId}`, `/v1/emails/${mail.emailId}/events`]
    for (const path of paths) assert.equal((await api.get(path)).status, may ? 200 : 404, `${name} ${path}`)
    const { found } = (await api.get(`/v1/lookup?id=${mail.emailId}`)).body
    assert.equal(found?.kind, may ? 'email' : undefined, name)
    for (const query of ['search=Set%20a%20new', 'limit=100', 'search=posthorn.test', 'status=delivered']) {
      const { data, total } = (await api.get(`/v1/emails?${query}`)).body
      const system = data.filter(({ from }: { from: string }) => from.includes('mail.posthorn.test'))
      assert.equal(system.length > 0, may && data.length > 0, `${name} ${query}`)
      assert.equal(total, data.length, `${name} ${query}`)
    }
    const { data } = (await api.get('/v1/inbox?limit=100&search=Set%20a%20new')).body
    assert.equal(
      data.some(({ id }: { id: string }) => id === mail.id),
      may,
      name,
    )
    assert.ok(
      data.some(({ subject }: { subject: string }) => subject === own.subject),
      name,
    )
  }
})

test('a key that empties the inbox leaves the system mail', async () => {
  const address = nextAddress()
  await askFor('reset', await posthorn.person(address))
  const [mail] = await posthorn.mailTo(address)
  await systemTeam.api.delete('/v1/inbox')
  assert.equal((await operator.api.get(`/v1/inbox/${mail.id}`)).status, 200)
  await operator.api.delete('/v1/inbox')
  assert.equal((await operator.api.get(`/v1/inbox/${mail.id}`)).status, 404)
})

test('owners and admins of a team are told once a day that a webhook was switched off, by its host alone', async () => {
  const team = await posthorn.team()
  const [owner, admin, viewer] = [await team.member('owner'), await team.member('admin'), await team.member('viewer')]
  const endpointUrl = 'https://hooks.people.test/secret-path'
  const { body: webhook } = await team.api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'] })
  await team.api.patch(`/v1/webhooks/${webhook.id}`, { status: 'inactive' })
  for (let time = 0; time < 2; time++) {
    await announce({ type: 'webhook.switched_off', teamId: team.id, data: { webhookId: webhook.id } })
    await posthorn.runDueJobs()
  }
  const noticesTo = async ({ email }: { email: string }) =>
    (await posthorn.mailTo(email)).filter(({ subject }) => subject === 'A webhook was switched off')
  for (const person of [owner, admin]) {
    const [mail, ...more] = await noticesTo(person)
    assert.equal(more.length, 0)
    assert.match(mail.text, /posts to the host “hooks people test”/)
    assert.doesNotMatch(mail.text, /secret-path/)
  }
  assert.deepEqual(await noticesTo(viewer), [])
})

test('an invited address gets a link that joins the team and verifies the address; a revoked one gets none', async () => {
  const owner = await (await posthorn.team()).member('owner')
  const [address, revoked] = [nextAddress(), nextAddress()]
  const invite = async (email: string) =>
    (await owner.api.post('/v1/team/invitations', { email, role: 'viewer' })).body as { id: string; url: string }
  const { url } = await invite(address)
  await owner.api.delete(`/v1/team/invitations/${(await invite(revoked)).id}`)
  const [mail, ...more] = await posthorn.mailTo(address)
  const link = /https:\/\/posthorn\.test\/app\/invitation#token=([\w-]+)/.exec(mail.text)!
  assert.deepEqual([more.length, link[0] === url], [0, false])
  const joined = await posthorn.anyone.post('/auth/invitations', { token: link[1], password: 'correct horse battery' })
  assert.deepEqual([joined.status, joined.body.user.emailVerified], [200, true], joined.text)
  assert.deepEqual(await posthorn.mailTo(revoked), [])
})

const suppress = (email: string, reason: 'bounce' | 'complaint') =>
  app.transaction((tx) => suppressAddresses(tx, [{ teamId: systemTeam.id, email, reason }]))

test('an address that a person or a key suppressed still gets system mail, until it bounces or complains', async () => {
  const address = nextAddress()
  const userId = await posthorn.person(address)
  const { api: marketer } = await systemTeam.member('marketer')
  await marketer.post('/v1/suppressions', { email: address })
  await askFor('reset', userId)
  assert.equal((await posthorn.mailTo(address)).length, 1)
  const other = { from: `a@${systemTeam.domain}`, to: [address], subject: 'Hello', text: 'x' }
  assert.equal((await systemTeam.api.post('/v1/emails', other)).status, 422, 'other mail is not sent to it')
  const bouncing = `bounce${++people}@people.test`
  const bouncingId = await posthorn.person(bouncing)
  await systemTeam.api.post('/v1/suppressions', { email: bouncing })
  for (let time = 0; time < 2; time++) {
    await askFor('reset', bouncingId)
    assert.equal((await posthorn.mailTo(bouncing)).length, 1, 'none after the bounce')
  }
  const { data } = (await systemTeam.api.get(`/v1/suppressions?search=${bouncing}`)).body
  assert.deepEqual([data.length, data[0].reason], [1, 'bounce'])
})

test('a mail that is refused is dropped, the next one is sent', async () => {
  const address = nextAddress()
  const userId = await posthorn.person(address)
  await suppress(address, 'bounce')
  await askFor('reset', userId)
  await posthorn.runDueJobs()
  const { rows } = await sql`select from account_tokens where user_id = ${userId}`.execute(app.db)
  assert.equal(rows.length, 0, 'no token without its mail')
  assert.equal((await posthorn.mailTo(address)).length, 0)
  const other = nextAddress()
  await askFor('reset', await posthorn.person(other))
  assert.equal((await posthorn.mailTo(other)).length, 1)
})

test('system mail is sent when its team has reached the limit of the day, counts, and does not wait', async () => {
  const limited = await createSystemMailApp()
  await limited.app.transaction((tx) =>
    sql`update teams set limit_overrides = '{"dailyEmailLimit": 1}' where id = ${limited.systemTeam.id}`.execute(tx.db),
  )
  const { operator } = limited
  const email = { from: 'shop@mail.posthorn.test', to: ['ada@people.test'], subject: 'Hello', text: 'Hello' }
  assert.equal((await operator.api.post('/v1/emails', email)).status, 200)
  assert.equal((await operator.api.post('/v1/emails', email)).status, 429)
  const userId = await limited.person('late@people.test')
  const event = { type: 'account.reset_requested', teamId: limited.systemTeam.id, data: { userId } } as const
  await limited.app.transaction((tx) => publish(tx, [event]))
  assert.equal((await limited.mailTo('late@people.test')).length, 1)
})

test('a stranger causes at most three mails of a kind an hour to an address', async () => {
  const address = nextAddress()
  const userId = await posthorn.person(address, { emailVerified: false })
  for (let time = 0; time < 5; time++) {
    for (const kind of ['verification', 'reset'] as const) await askFor(kind, userId)
    await posthorn.runDueJobs()
  }
  const counts = Map.groupBy(await posthorn.mailTo(address), ({ subject }) => subject)
  assert.deepEqual([...counts.values()].map((list) => list.length).sort(), [3, 3])
  posthorn.clock.advance(3_600_000)
  await askFor('reset', userId)
  const { api } = await systemTeam.member('owner')
  assert.equal((await posthorn.mailTo(address, api)).length, 7)
})
