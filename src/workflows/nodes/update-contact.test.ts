import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { makeFlow, statusesOf } from '../executions/fixtures/flow.ts'
import { activateChain, errorOf, outputOf, runChain } from '../fixtures/workflow.ts'
import { updateContactNode } from './update-contact.ts'

const posthorn = await createTestApp()

const update = (team: TestTeam, config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'update_contact', config }], triggerData)

async function teamWith(fields: object = {}) {
  const team = await posthorn.team()
  const made = (await team.api.post('/v1/contacts', { email: 'ada@example.com', ...fields })).body
  const contact = async () => (await team.api.get(`/v1/contacts/${made.id}`)).body
  return { team, made, contact }
}

test('fields change, fields left out stay, and an empty text or null clears a field', async () => {
  const { team, made, contact } = await teamWith({ firstName: 'Ada', lastName: 'King', phoneNumber: '+447700900123' })
  const config = { first_name: '{{trigger.name}} L.', last_name: '', phone_number: null }
  const output = outputOf(await update(team, config, { contact: made, name: 'Augusta' }))
  assert.deepEqual(output, { contactId: made.id, email: 'ada@example.com' })
  const { firstName, lastName, phoneNumber, email } = await contact()
  assert.deepEqual([firstName, lastName, phoneNumber, email], ['Augusta L.', null, null, 'ada@example.com'])
})

test('properties are added to the present ones, and a text that is one placeholder keeps the type of its value', async () => {
  const { team, made, contact } = await teamWith({ properties: { city: 'London', plan: 'free' } })
  const properties = {
    plan: 'pro',
    orders: '{{trigger.orders}}',
    tags: ['{{trigger.tag}}'],
    note: 'n{{trigger.orders}}',
  }
  outputOf(await update(team, { properties }, { contact: made, orders: 3, tag: { a: 1 } }))
  const expected = { city: 'London', plan: 'pro', orders: 3, tags: [{ a: 1 }], note: 'n3' }
  assert.deepEqual((await contact()).properties, expected)
  outputOf(await update(team, { properties: { constructor: 'x' } }, { contact: made }))
  assert.deepEqual((await contact()).properties, { ...expected, constructor: 'x' })
})

test('a contact is unsubscribed and subscribed again, as by PATCH', async () => {
  const { team, contact } = await teamWith()
  const named = { contact: 'ADA@example.com' }
  outputOf(await update(team, { ...named, unsubscribed: true }))
  assert.equal((await contact()).unsubscribed, true)
  assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 0)
  outputOf(await update(team, { ...named, unsubscribed: false }))
  assert.equal((await contact()).unsubscribed, false)
})

test('unsubscribed may be a placeholder for true or false, or for their texts', async () => {
  const { team, made, contact } = await teamWith()
  const config = { unsubscribed: '{{ trigger.out }}' }
  for (const out of [true, false, 'true', 'false']) {
    outputOf(await update(team, config, { contact: made, out }))
    assert.equal((await contact()).unsubscribed, String(out) === 'true')
  }
  for (const [out, shown] of [
    ['yes', '"yes"'],
    [1, '1'],
    [null, 'null'],
    ['', '""'],
  ]) {
    const error = errorOf(await update(team, { first_name: 'New', ...config }, { contact: made, out }))
    assert.equal(error, `unsubscribed: must be true or false; it became ${shown}`)
  }
  assert.match(errorOf(await update(team, config, { contact: made })), /became "\{\{ trigger.out \}\}"/)
  assert.equal((await contact()).firstName, null)
})

test('a filled value that is invalid fails the node for good, and nothing changes', async () => {
  const { team, made, contact } = await teamWith({ properties: { kept: 'x'.repeat(40_000) } })
  const before = [posthorn.clock.now(), await contact()]
  const fails = async (config: object, triggerData: object) =>
    errorOf(await update(team, { first_name: 'New', ...config }, { contact: made, ...triggerData }))
  assert.match(await fails({ phone_number: '{{trigger.phone}}' }, { phone: '0770' }), /^phone_number: .*became "0770"/)
  assert.match(await fails({ last_name: '{{trigger.name}}' }, { name: 'a\nb' }), /^last_name: .*became "a\\nb"/)
  const large = { text: 'y'.repeat(30_000) }
  assert.match(await fails({ properties: { more: '{{trigger.text}}' } }, large), /properties: must be at most 64 KiB/)
  assert.match(await fails({ contact: '{{trigger.nobody}}' }, {}), /^contact: must be the id/)
  assert.deepEqual([posthorn.clock.now(), await contact()], before)
})

test('a small config with a very large result fails the node', async () => {
  const { team, made } = await teamWith()
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, '{{trigger.text}}']))
  const error = errorOf(await update(team, { properties }, { contact: made, text: 'x'.repeat(200_000) }))
  assert.match(error, /longer than 1048576 characters/)
})

const refused: Record<string, [object, string]> = {
  nothing: [{ contact: 'ada@example.com' }, ''],
  'an invalid phone number': [{ phone_number: '0770' }, '.phone_number'],
  'a name with a line break': [{ first_name: 'a\nb' }, '.first_name'],
  'a flag that is a text': [{ unsubscribed: 'yes' }, '.unsubscribed'],
  'a flag that is a text with a placeholder in it': [{ unsubscribed: 'a {{trigger.out}}' }, '.unsubscribed'],
  'properties that are a list': [{ properties: [] }, '.properties'],
  'an address': [{ email: 'a@b.co' }, '.email'],
}
for (const [what, [config, path]] of Object.entries(refused)) {
  test(`a config that changes ${what} is refused at activation`, async () => {
    const team = await posthorn.team()
    const answer = await activateChain(team, [{ type: 'update_contact', config }])
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.errors[0].path, `nodes[1].config${path}`)
  })
}

test('properties that the API refuses are refused here too', async () => {
  const { team, made, contact } = await teamWith({ properties: { city: 'London' } })
  const values =
    '{ nul: "a\\0b", half: "a\\ud800b", proto: JSON.parse(`{"__proto__": 1}`), deep: JSON.parse("[".repeat(40) + "]".repeat(40)) }'
  const code = { id: 'made', type: 'code', config: { source: `return ${values}` } }
  const faults = { nul: /NUL/, half: /surrogate/, proto: /__proto__: is not a name/, deep: /nested deeper/ }
  for (const [name, fault] of Object.entries(faults)) {
    const config = { contact: made.id, properties: { x: `{{node_made.${name}}}` } }
    const step = { id: 'n1', type: 'update_contact', config }
    assert.match(errorOf(await runChain(posthorn, team, [code, step])), fault)
  }
  assert.deepEqual((await contact()).properties, { city: 'London' })
})

test('executions that change one contact at the same moment keep each other’s changes', async () => {
  const { team, made, contact } = await teamWith({ properties: { first: true } })
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const nodes = ids.map((id) => ({ id, type: 'update_contact', config: { properties: { [id]: `{{trigger.${id}}}` } } }))
  const flow = await makeFlow(
    team,
    nodes,
    ids.map((id) => `start>${id}`),
  )
  const values = Object.fromEntries(ids.map((id) => [id, id.toUpperCase()]))
  const execution = await flow.run(posthorn, { contact: made, ...values })
  const statuses = statusesOf(await flow.get(execution))
  assert.deepEqual(statuses, Object.fromEntries(['execution', ...ids].map((id) => [id, 'completed'])))
  assert.deepEqual((await contact()).properties, { first: true, ...values })
})

test('a contact that is created while the node looks for it is changed by the next attempt', async () => {
  const team = await posthorn.team()
  const create = () => team.api.post('/v1/contacts', { email: 'grace@example.com' })
  const app = Object.create(posthorn.app, {
    transaction: {
      value: async (...given: Parameters<typeof posthorn.app.transaction>) => {
        const result = await posthorn.app.transaction(...given)
        await create()
        return result
      },
    },
  })
  const config = { contact: 'grace@example.com', first_name: 'Grace' }
  const place = { teamId: team.id, executionId: team.id } as Parameters<typeof updateContactNode.run>[0]
  await assert.rejects(async () => updateContactNode.run({ ...place, app }, config), { kind: 'unavailable' })
  outputOf(await update(team, config))
  assert.equal((await team.api.get('/v1/contacts')).body.data[0].firstName, 'Grace')
})
