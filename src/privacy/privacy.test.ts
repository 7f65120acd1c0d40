import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createKeyring } from '../platform/keys/keyring.ts'
import { activeSender } from '../sms/fixtures/sender.ts'
import { newNumber, openShop, webhookSecret } from '../whatsapp/fixtures/shop.ts'
import { makeWorkflow } from '../workflows/fixtures/make.ts'
import { chainOf } from '../workflows/fixtures/workflow.ts'
import { ask } from './fixtures/ask.ts'
import { unzip } from './fixtures/unzip.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })

/** Makes a team with a person, Ada, who is known in every channel, and Bob, who stays. */
async function populated() {
  const team = await posthorn.team()
  const { api } = team
  const [ada, phone, bob] = [`ada${newNumber().slice(1)}@people.test`, newNumber(), 'bob@people.test']
  await ok(
    api.post('/v1/webhooks', { endpointUrl: 'https://hooks.example.com/', events: ['email.sent', 'email.bounced'] }),
  )
  const contact = await ok(api.post('/v1/contacts', { email: ada, phoneNumber: phone, firstName: 'Ada' }))
  const from = `shop@${team.domain}`
  const send = (more: object) => ok(api.post('/v1/emails', { from, subject: 'Hello', text: 'Hello', ...more }))
  const { id: alone } = await send({ to: [`Ada <${ada.toUpperCase()}>`], text: `Hello ${ada}` })
  const { id: shared } = await send({ to: [ada, bob], subject: `For ${ada} and you`, html: `<p>${ada}</p>` })
  const { id: others } = await send({ to: [bob], text: `x${ada} is somebody else` })
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 86_400_000).toISOString()
  const { id: waiting } = await send({ to: [ada], scheduledAt })
  const senderId = await activeSender(team)
  const sms = await ok(api.post('/v1/sms', { senderId, to: '+61491570156', body: `Write to ${ada}` }))
  const shop = await openShop(posthorn, team)
  await shop.write(phone, 'Hi, it is Ada')
  await ok(shop.send({ to: phone, body: 'Hello' }))
  const workflow = await makeWorkflow(team, chainOf([]))
  await workflow.run(posthorn, { email: ada })
  return { team, contact, ada, phone, bob, alone, shared, others, waiting, sms, workflow, shop }
}

/** Reads every list of the team and what the lists name, as text. */
async function everything({
  team,
  shop,
  workflow,
  others,
  shared,
}: Awaited<ReturnType<typeof populated>>): Promise<string> {
  const lists = [
    'emails',
    'contacts',
    'sms',
    'whatsapp/conversations',
    'whatsapp/messages',
    'inbox',
    'inbox/sms',
    'inbox/whatsapp',
  ]
  const paths = [...lists, 'suppressions', 'sms/opt-outs', 'webhooks'].map((list) => `/v1/${list}?limit=100`)
  paths.push(workflow.executionsPath, `/v1/emails/${others}`, `/v1/emails/${shared}`)
  const texts: string[] = []
  for (let path = paths.shift(); path; path = paths.shift()) {
    const answer = await team.api.get(path)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    texts.push(answer.text)
    const base = path.split('?')[0]!
    for (const { id } of answer.body.data ?? []) {
      if (/emails$|sms$/.test(base) && !base.includes('inbox')) paths.push(`${base}/${id}/events`)
      if (/emails$|conversations$|inbox$|executions$/.test(base)) paths.push(`${base}/${id}`)
      if (base.endsWith('webhooks')) paths.push(`${base}/${id}/deliveries?limit=100`)
      if (base.endsWith('deliveries')) paths.push(`${base}/${id}`)
    }
  }
  assert.ok(shop)
  return texts.join('\n').toLowerCase()
}

const finds = (text: string, word: string) => text.replaceAll(`x${word}`, '').includes(word)

test('an erased person is found nowhere, others stay, and counts say what was removed and that nothing is left', async () => {
  const known = await populated()
  const { team, ada, phone, alone, shared, others, waiting } = known
  const before = await everything(known)
  assert.ok(finds(before, ada) && finds(before, phone))
  const { api, path, made } = await ask(team, { type: 'erase', email: ada })
  assert.deepEqual([made.type, made.status, made.finishedAt], ['erase', 'running', null])
  await posthorn.runDueJobs()
  const { body } = await api.get(path)
  assert.equal(body.status, 'done', JSON.stringify(body))
  assert.equal(body.counts.contacts.removed, 1)
  assert.equal(body.counts.emails.removed, 3)
  for (const [name, { left }] of Object.entries<{ left: number }>(body.counts)) assert.equal(left, 0, name)
  const after = await everything(known)
  assert.ok(!finds(after, ada), 'address')
  assert.ok(!finds(after, phone), 'number')
  assert.equal((await team.api.get(`/v1/emails/${alone}`)).status, 404)
  assert.equal((await team.api.get(`/v1/emails/${waiting}`)).status, 404)
  const { body: kept } = await team.api.get(`/v1/emails/${shared}`)
  assert.deepEqual([kept.to, kept.subject, kept.html], [['erased', 'bob@people.test'], 'erased', null])
  assert.equal((await team.api.get(`/v1/emails/${others}`)).body.text, `x${ada} is somebody else`)
})

test('nobody writes to an erased person again, also under an address that was unknown', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team)
  await ask(team, { type: 'erase', email: 'Unknown@People.test' })
  await ask(team, { type: 'erase', phoneNumber: '+61491570157' })
  const email = { from: `a@${team.domain}`, to: ['unknown@people.test'], subject: 'Hello', text: 'Hello' }
  const refused = await team.api.post('/v1/emails', email)
  assert.notEqual(refused.status, 200)
  assert.equal((await team.api.post('/v1/emails', { ...email, to: ['known@people.test'] })).status, 200)
  assert.notEqual((await team.api.post('/v1/sms', { senderId, to: '+61491570157', body: 'Hello' })).status, 200)
  const shop = await openShop(posthorn, team)
  await shop.write('+61491570157', 'Hi')
  assert.equal((await shop.send({ to: '+61491570157', body: 'Hello' })).body.name, 'recipient_erased')
  const { body } = await team.api.get('/v1/suppressions')
  assert.match(body.data[0].email, /^erased:[\w-]{32}$/)
})

slowTest('an erasure that dies in the middle is taken over, and nothing is counted twice', async () => {
  const known = await populated()
  const { api, path } = await ask(known.team, { type: 'erase', phoneNumber: known.phone })
  const dying = await posthorn.another()
  const { transaction } = dying.app
  let commits = 0
  // From the fifth commit on nothing of the process reaches the database, as after a kill.
  dying.app.transaction = async (work) => {
    if (++commits > 5) throw new Error('killed')
    return transaction(work)
  }
  await dying.app.jobs.runDue()
  assert.equal((await api.get(path)).body.status, 'running')
  await posthorn.runDueJobsAfter(31_000)
  const { body } = await api.get(path)
  assert.equal(body.status, 'done', JSON.stringify(body))
  assert.deepEqual(
    [body.counts.contacts, body.counts.emails],
    [
      { removed: 1, left: 0 },
      { removed: 3, left: 0 },
    ],
  )
  assert.ok(!finds(await everything(known), known.ada))
})

test('an export is a zip of JSON with all that is known, for a day', async () => {
  const { team, ada, phone, contact } = await populated()
  const { api, path } = await ask(team, { type: 'export', email: ada })
  assert.equal((await api.get(`${path}/file`)).status, 409)
  await posthorn.runDueJobs()
  assert.equal((await api.get(path)).body.counts.contacts.found, 1)
  const answer = await posthorn.server.inject({
    url: `${path}/file`,
    headers: { authorization: `Bearer ${(await team.member('owner')).token}` },
  })
  assert.equal(answer.statusCode, 200)
  const files = unzip(answer.rawPayload)
  assert.equal(JSON.parse(files.get('contacts.json')!)[0].id, contact.id)
  assert.match(files.get('emails.json')!, new RegExp(ada, 'i'))
  assert.ok(files.get('whatsappMessages.json')!.includes(phone))
  posthorn.clock.advance(86_400_000 + 1000)
  const later = await team.member('owner')
  assert.equal((await later.api.get(`${path}/file`)).status, 404)
})

slowTest('an export that was encrypted with a removed secret is refused, and another one can be read', async () => {
  const { team, ada } = await populated()
  const { api, path, made } = await ask(team, { type: 'export', email: ada })
  await posthorn.runDueJobs()
  // As it is left when its secret has been removed from APP_SECRET_PREVIOUS.
  const content = createKeyring('a removed secret of thirty-two bytes').encrypt('privacy-export', '[]', made.id)
  await posthorn.app.transaction((tx) =>
    sql`update privacy_export_parts set content = ${content} where request_id = ${made.id}`.execute(tx.db),
  )
  const refused = await api.get(`${path}/file`)
  assert.deepEqual([refused.status, refused.body.name], [409, 'export_unreadable'], refused.text)
  assert.match(refused.body.message, /Request the export again/)
  const again = await ask(team, { type: 'export', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await again.api.get(`${again.path}/file`)).status, 200)
})

test('only owners and admins ask, with exactly one address', async () => {
  const team = await posthorn.team()
  const email = 'ada@people.test'
  for (const role of ['developer', 'marketer', 'viewer'] as const) {
    const { api } = await team.member(role)
    assert.equal((await api.post('/v1/privacy/requests', { type: 'erase', email })).status, 403)
  }
  assert.equal((await team.api.post('/v1/privacy/requests', { type: 'erase', email })).status, 403)
  const { api } = await team.member('owner')
  for (const bad of [
    {},
    { email, phoneNumber: '+61491570156' },
    { email: 'Ada <ada@people.test>' },
    { phoneNumber: '0491' },
  ]) {
    assert.equal((await api.post('/v1/privacy/requests', { type: 'erase', ...bad })).status, 400, JSON.stringify(bad))
  }
  const { path } = await ask(await posthorn.team(), { type: 'erase', email })
  assert.equal((await api.get(path)).status, 404)
})
