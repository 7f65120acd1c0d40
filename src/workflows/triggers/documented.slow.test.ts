import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestApp, type TestApp, type TestTeam } from '../../../test/app.ts'
import { pluck, pluckRows } from '../../../test/pluck.ts'
import { listen } from '../../../test/wire.ts'
import { type Peer, startPeer } from '../fixtures/peer.ts'

const chapter = readFileSync(new URL('../../../docs/workflows.md', import.meta.url), 'utf8')
/** The parts of `curl` and `jq` that the examples use, since not every machine has them. */
const commands = ['curl', 'jq'].map((name) => {
  const file = fileURLToPath(new URL(`../../../test/fixtures/commands/${name}.mjs`, import.meta.url))
  return `${name}() { "$NODE" '${file}' "$@"; }`
})

const skip = spawnSync('sh', ['-c', 'true']).status !== 0 && 'sh is not on this machine'

/** Reads the commands below a heading, as a reader copies them. */
function commandsOf(heading: string): string {
  const section = chapter.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`))
  const block = section?.match(/^```sh\n([\s\S]*?)^```$/m)?.[1]
  assert.ok(block, `docs/workflows.md has no example below "${heading}".`)
  return block
}

type Shop = { posthorn: TestApp; team: TestTeam; peer: Peer }

/** Runs an example on a new installation with the domain of the first start. */
async function runExample(heading: string): Promise<Shop> {
  const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
  const [team, peer, port] = [await posthorn.team(), await startPeer(), await listen(posthorn)]
  const { body } = await team.api.post('/v1/domains', { name: 'sandbox.test' })
  await team.api.post(`/v1/domains/${body.id}/verify`)
  const script = [...commands, commandsOf('How one is made'), commandsOf(heading)]
    .join('\n')
    .replace('KEY=ph_…', `KEY=${team.key}`)
    .replaceAll(/https:\/\/(hooks\.slack|example)\.com/g, peer.url)
  const env = { ...process.env, POSTHORN_PORT: String(port), NODE: process.execPath }
  const shell = spawn('sh', ['-eu', '-c', script], { env })
  const errors: string[] = []
  shell.stderr.on('data', (chunk) => errors.push(String(chunk)))
  shell.stdout.resume()
  const [code] = await once(shell, 'close')
  assert.deepEqual([code, errors.join('')], [0, ''])
  await posthorn.runDueJobs()
  return { posthorn, team, peer }
}

async function inbox({ team }: Shop) {
  const { body } = await team.api.get('/v1/inbox')
  return body.data.reverse() as { id: string; to: string[]; subject: string }[]
}

test('the example of manual sends a voucher', { skip }, async () => {
  const shop = await runExample('manual')
  const [email, ...others] = await inbox(shop)
  assert.deepEqual([email!.to, email!.subject, others], [['ada@example.com'], 'Your voucher', []])
  const { body } = await shop.team.api.get(`/v1/inbox/${email!.id}`)
  assert.match(body.html, /Hello Ada, here are 20 % off/)
})

test('the example of webhook_received thanks for an order, and notifies of a large one', { skip }, async () => {
  const shop = await runExample('webhook_received')
  assert.deepEqual(pluckRows(await inbox(shop), 'to', 'subject'), [[['ada@example.com'], 'Your order 4711']])
  assert.deepEqual(
    shop.peer.asked.map(({ path, body }) => [path, JSON.parse(body)]),
    [['/services/T000/B000/XXXX', { text: 'Order 4711: 1250' }]],
  )
})

test('the example of schedule fires at nine in Berlin, and not on a Sunday', { skip }, async () => {
  const { posthorn, peer } = await runExample('schedule')
  const asked = async (time: string) => {
    posthorn.clock.set(time)
    await posthorn.runDueJobs()
    return peer.asked.length
  }
  assert.equal(await asked('2030-06-16T07:00:00Z'), 0)
  assert.equal(await asked('2030-06-17T07:00:00Z'), 1)
  assert.deepEqual(JSON.parse(peer.asked[0]!.body), {
    text: 'Good morning. The shop has been open since 2030-06-17T07:00:00.000Z.',
  })
})

test('the example of contact_event welcomes a contact, and sends tips three days later', { skip }, async () => {
  const shop = await runExample('contact_event')
  const subjects = async () => (await inbox(shop)).map(({ to, subject }) => `${to}: ${subject}`)
  assert.deepEqual(await subjects(), ['ada@example.com: Welcome, Ada'])
  shop.posthorn.clock.advance(3 * 24 * 60 * 60_000)
  await shop.posthorn.runDueJobs()
  assert.deepEqual((await subjects()).slice(1), ['ada@example.com: Three things to try'])
})

test('the example of email_event records a bounce and adds the contact to a segment', { skip }, async () => {
  const { team } = await runExample('email_event')
  const { body } = await team.api.get('/v1/contacts')
  const { body: contact } = await team.api.get(`/v1/contacts/${body.data[0].id}`)
  assert.deepEqual(contact.properties, { bounce: 'Permanent' })
  assert.deepEqual(pluck(contact.segments, 'name'), ['Unreachable'])
})

test('the example of broadcast_complete reports the broadcast', { skip }, async () => {
  const { posthorn, team, peer } = await runExample('broadcast_complete')
  for (let turn = 0; turn < 5; turn++) {
    await posthorn.runDueJobsAfter(2000)
  }
  const { body } = await team.api.get('/v1/broadcasts')
  assert.deepEqual(
    peer.asked.map(({ path, body: report }) => [path, JSON.parse(report)]),
    [['/reports', { broadcast: body.data[0].id, sent: '1' }]],
  )
})
