import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { activeSender } from '../sms/fixtures/sender.ts'
import { newNumber, openShop, webhookSecret } from '../whatsapp/fixtures/shop.ts'
import { makeWorkflow } from '../workflows/fixtures/make.ts'
import { chainOf } from '../workflows/fixtures/workflow.ts'
import { ask } from './fixtures/ask.ts'
import { leaveTraces } from './fixtures/leave-traces.ts'
import { unzip } from './fixtures/unzip.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret, REQUEST_LOG: 'on' })
const another = '[another recipient]'
const bob = 'bob@people.test'

/** Exports a person. Returns the rows by kind, and all files as one text. `change` is called before they are read. */
async function exportOf(
  team: TestTeam,
  of: { email: string } | { phoneNumber: string },
  change: (id: string) => Promise<unknown> = async () => {},
) {
  const { path, api, made } = await ask(team, { type: 'export', ...of })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  await change(made.id)
  const { token } = await team.member('owner')
  const answer = await posthorn.server.inject({ url: `${path}/file`, headers: { authorization: `Bearer ${token}` } })
  assert.equal(answer.statusCode, 200)
  const files = unzip(answer.rawPayload)
  const rows = (name: string) => JSON.parse(files.get(`${name}.json`) ?? '[]')
  return { rows, files: [...files.keys()], text: [...files.values()].join('\n') }
}

slowTest('an export holds no address and no number of other people', async () => {
  const team = await posthorn.team()
  const person = await leaveTraces(posthorn, team)
  const { text, files } = await exportOf(team, { email: person.email })
  const addresses = new Set(text.match(/[\w.%+-]+(?:@|%40)[\w-]+\.\w+/g))
  const strangers = [...addresses].filter(
    (address) => decodeURIComponent(address).toLowerCase() !== person.email.toLowerCase(),
  )
  assert.deepEqual(strangers, [`shop@${team.domain}`])
  const numbers = new Set(text.match(/(?:\+|%2B)\d{7,15}/g))
  assert.ok(!numbers.has('+61491570156') && numbers.has(person.phone), [...numbers].join())
  assert.ok(!/_address|team_id|_at"|_seed|_id"/.test(text), 'names of columns')
  assert.deepEqual(
    files.filter((name) => /template|segment|graph|key|job|broadcast/i.test(name)),
    [],
  )
})

test('an email is shown as the API shows it, with its bodies, and blind copies of others are not', async () => {
  const team = await posthorn.team()
  const [ada, eve] = ['ada@people.test', 'eve@people.test']
  const send = { from: `shop@${team.domain}`, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }
  const { id } = await ok(
    team.api.post('/v1/emails', { ...send, to: [`Ada <${ada}>`, `Bob <${bob}>`], cc: [eve], bcc: [eve] }),
  )
  const blind = await ok(team.api.post('/v1/emails', { ...send, to: [bob], bcc: [ada, eve], tags: { by: eve } }))
  const others = await ok(team.api.post('/v1/emails', { ...send, to: [bob], subject: `Of ${ada} and ${eve}` }))
  const read = await ok(team.api.get(`/v1/emails/${id}`))
  const { rows } = await exportOf(team, { email: ada })
  const emails = new Map(rows('emails').map((email: { id: string }) => [email.id, email]))
  assert.deepEqual(emails.get(id), { ...read, to: [`Ada <${ada}>`, another], cc: [another], bcc: null, replyTo: null })
  const own = emails.get(blind.id) as typeof read
  assert.deepEqual([own.to, own.bcc, own.tags, own.text], [[another], [ada], { by: another }, 'Hello'])
  const named = emails.get(others.id) as typeof read
  assert.deepEqual([named.subject, named.html, named.text], [`Of ${ada} and ${another}`, null, null])
  assert.ok(
    rows('emailEvents').every(({ recipient }: { recipient: string }) =>
      [ada, `Ada <${ada}>`, another, null].includes(recipient),
    ),
  )
})

slowTest(
  'the address for answers to an email is shown if it is the person’s, and hidden if it is another’s',
  async () => {
    const team = await posthorn.team()
    const carol = 'carol@people.test'
    const email = { from: `shop@${team.domain}`, text: 'Hello' }
    const [support, subject] = [`support@${team.domain}`, `Contact form of ${bob}`]
    await ok(team.api.post('/v1/emails', { ...email, to: [support], subject, replyTo: `Carol <${carol}>` }))
    await ok(team.api.post('/v1/emails', { ...email, to: [support], subject, replyTo: `Bob <${bob}>` }))
    const { api: resend } = await team.newKey({ name: 'Resend', permission: 'full_access' })
    const several = { ...email, to: [bob], subject: 'Hello', reply_to: [`"C, Carol" <${carol}>`, bob] }
    await ok(resend.post('/resend/emails', several))
    const { rows, text } = await exportOf(team, { email: bob })
    const shown = rows('emails').map(({ replyTo }: { replyTo: string }) => replyTo)
    assert.deepEqual(shown.sort(), [`Bob <${bob}>`, another, `${another}, ${bob}`].sort())
    assert.ok(!/carol/i.test(text))
  },
)

test('messages are shown with their texts to the person, and without them to others', async () => {
  const team = await posthorn.team()
  const [ada, stranger] = [newNumber(), '+61491570156']
  const senderId = await activeSender(team)
  const own = await ok(team.api.post('/v1/sms', { senderId, to: ada, body: 'Hello Ada' }))
  const others = await ok(team.api.post('/v1/sms', { senderId, to: stranger, body: `Call ${ada}, says Eve` }))
  const shop = await openShop(posthorn, team)
  await shop.write(ada, 'Hi')
  const { rows } = await exportOf(team, { phoneNumber: ada })
  const texts = rows('sms').map(({ id, to, body }: { id: string; to: string; body: string }) => [id, to, body])
  assert.deepEqual(texts, [
    [own.id, ada, 'Hello Ada'],
    [others.id, another, null],
  ])
  const [message] = rows('whatsappMessages')
  assert.deepEqual([message.from, message.to, message.body], [ada, shop.number, 'Hi'])
})

test('an execution is shown without what its nodes sent and got', async () => {
  const team = await posthorn.team()
  const ada = 'ada@people.test'
  const source = 'return { answer: "from another service", email: input.trigger.email }'
  const workflow = await makeWorkflow(team, chainOf([{ type: 'code', config: { source } }]))
  const id = await workflow.run(posthorn, { email: ada, boss: bob })
  const { rows, text } = await exportOf(team, { email: ada })
  const [execution] = rows('executions')
  assert.deepEqual([execution.id, execution.triggerData], [id, { email: ada, boss: another }])
  assert.ok(rows('executionNodes').length > 0)
  assert.ok(!text.includes('another service') && !text.includes('inputData') && !text.includes('outputData'))
})

slowTest('an export of more rows than one answer may hold in memory can be read', async () => {
  const team = await posthorn.team()
  const email = 'ada@people.test'
  const workflow = await makeWorkflow(team, chainOf([]))
  const text = 'x'.repeat(900_000)
  await workflow.start({ email, text })
  await workflow.start({ email, text })
  // As if there had been 50 times as many, which take long to make.
  const repeat = (id: string) =>
    posthorn.app.transaction((tx) =>
      sql`
        insert into privacy_export_parts (team_id, request_id, position, name, content)
        select team_id, request_id, position + 1000 * number, name, content
        from privacy_export_parts cross join generate_series(1, 49) as number
        where request_id = ${id} and name = 'executions'
      `.execute(tx.db),
    )
  const { rows } = await exportOf(team, { email }, repeat)
  const executions = rows('executions') as { triggerData: { email: string; text: string } }[]
  assert.equal(executions.length, 100)
  assert.ok(executions.every(({ triggerData }) => triggerData.text === text))
})

slowTest('bodies beyond 24 MiB are left out of an export and marked', async () => {
  const team = await posthorn.team()
  const text = 'x'.repeat(4_500_000)
  const email = { from: `shop@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text }
  for (let n = 0; n < 6; n++) await ok(team.api.post('/v1/emails', email))
  const { rows } = await exportOf(team, { email: 'ada@people.test' })
  const bodies = rows('emails').map((each: { text: string | null; bodiesLeftOut?: true }) => [
    each.text?.length,
    each.bodiesLeftOut,
  ])
  assert.ok(bodies.filter(([length]: [number?]) => length === text.length).length >= 3)
  assert.deepEqual(bodies.at(-1), [undefined, true])
})

test('an export shows that the person is blocked, and why', async () => {
  const team = await posthorn.team()
  const [email, phoneNumber] = ['ada@people.test', newNumber()]
  await ok(team.api.post('/v1/contacts', { email, phoneNumber }))
  const suppression = await ok(team.api.post('/v1/suppressions', { email }))
  const optOut = await ok(team.api.post('/v1/sms/opt-outs', { phoneNumber }))
  await ok(team.api.post('/v1/suppressions', { email: bob }))
  const { rows } = await exportOf(team, { email })
  assert.deepEqual([rows('suppressions'), rows('smsOptOuts')], [[suppression], [optOut]])
})
