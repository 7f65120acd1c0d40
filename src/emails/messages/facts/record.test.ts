import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestApp } from '../../../../test/app.ts'
import { forAllAsync } from '../../../../test/for-all.ts'
import { propertyTest, slowTest } from '../../../../test/slow.ts'
import type { EmailFact } from './consequences.ts'
import { recordEmailFacts } from './record.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()

/** All facts that a provider may report about an email to two recipients, in the order in which they happen. */
const life: [id: string, fact: (name: (who: string) => string) => EmailFact][] = [
  ['send', () => ({ type: 'sent', recipient: null, data: null })],
  ['delay-1', (name) => ({ type: 'delivery_delayed', recipient: name('ada'), data: {} })],
  ['delay-2', (name) => ({ type: 'delivery_delayed', recipient: name('ada'), data: {} })],
  ['soft', (name) => ({ type: 'bounced', recipient: name('ada'), permanent: false, data: {} })],
  ['delivery', (name) => ({ type: 'delivered', recipient: name('ada'), data: {} })],
  ['expired', (name) => ({ type: 'bounced', recipient: name('ada'), permanent: true, suppress: false, data: {} })],
  ['hard', (name) => ({ type: 'bounced', recipient: name('bob'), permanent: true, data: {} })],
  ['open', () => ({ type: 'opened', recipient: null, data: {} })],
  ['complaint', (name) => ({ type: 'complained', recipient: name('ada'), data: {} })],
]

let emails = 0

/** Records facts, those of one group at the same time, and returns the resulting state by the API. */
async function endOf(groups: string[][]) {
  const number = ++emails
  const name = (who: string) => `${who}.${number}@example.com`
  const sent = await team.api.post('/v1/emails', {
    from: `hello@${team.domain}`,
    to: [name('ada'), name('bob')],
    subject: 'Hello',
    text: 'It works.',
    scheduledAt: new Date(posthorn.clock.now().getTime() + 86_400_000).toISOString(),
  })
  assert.equal(sent.status, 200, sent.text)
  const emailId: string = sent.body.id
  for (const group of groups) await Promise.all(group.map((id) => record(emailId, id, name)))
  const email = await team.api.get(`/v1/emails/${emailId}`)
  const events = await team.api.get(`/v1/emails/${emailId}/events`)
  const suppressed = await team.api.get(`/v1/suppressions?search=.${number}@`)
  return {
    status: email.body.status,
    events: events.body.map(({ type }: { type: string }) => type).sort(),
    // An address that both bounced and complained is suppressed with the reason that was reported first.
    suppressed: suppressed.body.data.map(({ email }: { email: string }) => email.split('.')[0]).sort(),
  }
}

function record(emailId: string, id: string, name: (who: string) => string): Promise<void> {
  const facts = [life.find(([one]) => one === id)![1](name)]
  const telling = { teamId: team.id, emailId, facts, settled: id === 'send', providerEventId: id }
  return posthorn.app.transaction((tx) => recordEmailFacts(tx, [telling]))
}

const told = fc.subarray(
  life.map(([id]) => id),
  { minLength: 1 },
)

propertyTest('reports of a provider lead to the same state in any order, with repeats and races', async () => {
  const tellings = told.chain((ids) =>
    fc.record({
      inOrder: fc.constant(ids),
      mixed: fc
        .array(fc.constantFrom(...ids), { maxLength: 6 })
        .chain((again) => fc.shuffledSubarray([...ids, ...again], { minLength: ids.length + again.length })),
      at: fc.nat(4),
    }),
  )
  await forAllAsync(20, tellings, async ({ inOrder, mixed, at }) => {
    const groups = [mixed.slice(0, at), ...mixed.slice(at).map((id) => [id])]
    assert.deepEqual(await endOf(groups), await endOf(inOrder.map((id) => [id])))
  })
})

slowTest('any two reports of a provider lead to the same state in either order', async () => {
  const ids = life.map(([id]) => id)
  const pairs = ids.flatMap((first, at) => ids.slice(at + 1).map((second) => [first, second] as const))
  await Promise.all(
    pairs.map(async ([first, second]) => {
      assert.deepEqual(await endOf([[second], [first]]), await endOf([[first], [second]]), `${second}, ${first}`)
    }),
  )
})

test('a late report does not move a status back', async () => {
  const everything = life.map(([id]) => id)
  const backwards = await endOf(everything.toReversed().map((id) => [id]))
  assert.equal(backwards.status, 'complained')
  assert.deepEqual(backwards.suppressed, ['ada', 'bob'])
  assert.equal(backwards.events.length, everything.length)
})

/** An email that is under way. Tells what has become of it after some facts. */
async function underWay() {
  const to = [`ada.${++emails}@under.test`, 'bob@way.test']
  const body = { from: `hello@${team.domain}`, to, subject: 'Hello', text: 'Hi' }
  const { id: emailId } = (await team.api.post('/v1/emails', body)).body
  const as = (state: { status: 'delayed' | 'sent'; sent_at: Date | null }) =>
    posthorn.app.db
      .updateTable('emails')
      .set({ ...state, dispatching: true })
      .where('id', '=', emailId)
      .execute()
  const tell = (facts: EmailFact[], more: { isTaken?: boolean }) => {
    const told = { teamId: team.id, emailId, facts, providerEventId: posthorn.app.newId(), ...more }
    return posthorn.app.transaction((tx) => recordEmailFacts(tx, [told]))
  }
  const read = () =>
    posthorn.app.db
      .selectFrom('emails')
      .select(['status', 'dispatching'])
      .where('id', '=', emailId)
      .executeTakeFirstOrThrow()
  return { ada: to[0]!, as, tell, read }
}

test('a report about one recipient leaves an email under way to the others, and one by a provider that has all ends it', async () => {
  const { ada, as, tell, read } = await underWay()
  await as({ status: 'sent', sent_at: posthorn.clock.now() })
  await tell([{ type: 'bounced', recipient: ada, permanent: true, data: {} }], {})
  assert.deepEqual(await read(), { status: 'bounced', dispatching: true })
  await tell([], { isTaken: true })
  assert.deepEqual(await read(), { status: 'bounced', dispatching: false })
})

test('a delayed email that a provider reports to have is sent', async () => {
  const { as, tell, read } = await underWay()
  await as({ status: 'delayed', sent_at: null })
  await tell([], { isTaken: true })
  assert.equal((await read()).status, 'sent')
})
