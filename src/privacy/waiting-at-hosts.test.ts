import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createWorld } from '../emails/providers/direct/fixtures/world.ts'
import { ask } from './fixtures/ask.ts'
import { searchDatabase } from './fixtures/search-database.ts'

const world = await createWorld()
const { posthorn } = world
const dayMs = 24 * 3_600_000

/** Erases a person and asserts that the erasure ends at once, with nothing left. */
async function erase(team: Parameters<typeof ask>[0], email: string) {
  const { api, path } = await ask(team, { type: 'erase', email })
  await world.runDueJobs()
  await world.pass(30_000)
  assert.equal((await ok(api.get(path))).status, 'done')
  assert.deepEqual(await searchDatabase(posthorn, [email]), [])
}

/** An email that stays under way is never removed by its age. */
async function isUnderWay(id: string): Promise<boolean> {
  const email = await posthorn.app.db.selectFrom('emails').select('dispatching').where('id', '=', id).executeTakeFirst()
  return email!.dispatching
}

test('an erasure deletes an email to the person alone that waits at their host, which then gets nothing', async () => {
  world.domainAt('down1.test', '127.0.10.1')
  const sender = await world.sender()
  const { id } = await sender.deliver('ada@down1.test')
  await erase(sender.team, 'ada@down1.test')
  assert.equal((await sender.team.api.get(`/v1/emails/${id}`)).status, 404)
  const host = await world.script('127.0.10.1')
  await world.pass(dayMs)
  assert.equal(host.connections, 0)
})

test('an email whose last delivery was to an erased person has ended, and the others of it read as they were', async () => {
  world.domainAt('down2.test', '127.0.10.2')
  world.domainAt('up2.test', '127.0.10.3')
  await world.host('127.0.10.3')
  const sender = await world.sender()
  const { id } = await sender.deliver('ada@down2.test', 'bob@up2.test')
  await erase(sender.team, 'ada@down2.test')
  const { to, text, status } = await sender.email(id)
  assert.deepEqual([to, text, status], [['erased', 'bob@up2.test'], null, 'delivered'])
  assert.equal(await isUnderWay(id), false)
})

slowTest('an email whose last delivery was to an erased person no longer reads delayed', async () => {
  const later = (verb: string) => (verb === 'RCPT' ? '451 4.7.1 Greylisted, come again\r\n' : undefined)
  world.domainAt('later.test', '127.0.10.4')
  world.domainAt('down4.test', '127.0.10.5')
  await world.script('127.0.10.4', later)
  const sender = await world.sender()
  const { id } = await sender.deliver('bob@later.test', 'ada@down4.test')
  // As if a process had been killed while it delivered to the first.
  const left = { lease_token: crypto.randomUUID(), run_at: posthorn.app.clock.now() }
  await posthorn.app.db.updateTable('jobs').set(left).where('key', '=', `${id}/0`).execute()
  await sender.team.api.post('/v1/suppressions', { email: 'bob@later.test' })
  await world.runDueJobs()
  await world.pass(5000)
  assert.equal((await sender.email(id)).status, 'delayed')
  await erase(sender.team, 'ada@down4.test')
  assert.equal((await sender.email(id)).status, 'sent')
})

slowTest(
  'an email that waits at three hosts reaches the other two after an erasure, and does not name the person',
  async () => {
    const sender = await world.sender()
    const names = ['ada', 'bob', 'eve']
    for (const [index, name] of names.entries()) world.domainAt(`${name}.test`, `127.0.10.${10 + index}`)
    const { id } = await sender.deliver(...names.map((name) => `${name}@${name}.test`), 'ada@bob.test')
    await erase(sender.team, 'ada@ada.test')
    await erase(sender.team, 'ada@bob.test')
    assert.deepEqual((await sender.email(id)).to, ['erased', 'bob@bob.test', 'eve@eve.test', 'erased'])
    const hosts = await Promise.all([10, 11, 12].map((at) => world.host(`127.0.10.${at}`)))
    for (let hour = 0; hour < 3; hour++) await world.pass(3_600_000)
    assert.deepEqual(
      hosts.map(({ messages }) => messages.map(({ to }) => to)),
      [[], [['bob@bob.test']], [['eve@eve.test']]],
    )
    assert.ok(hosts.every(({ messages }) => messages.every(({ raw }) => !raw.toString().includes('ada@'))))
    assert.equal((await sender.email(id)).status, 'delivered')
    assert.equal(await isUnderWay(id), false)
  },
)
