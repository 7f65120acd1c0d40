import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import type { App } from '../../context.ts'
import type { Event } from '../../events.ts'
import { defineSubscription, subscribersOf } from '../../platform/events.ts'
import { createContact } from '../create.ts'
import { importContacts } from '../import/import.ts'
import { updateContact } from '../update.ts'
import { newUnsubscribeSeed, unsubscribeTokenOf } from './token.ts'
import { findContactsByTokens, unsubscribeContact } from './unsubscribe.ts'

const posthorn = await createTestApp()
const { app } = posthorn

/** Returns the token that an email to the contact would carry. */
async function tokenOf(contactId: string): Promise<string> {
  const { unsubscribe_seed } = await app.db
    .selectFrom('contacts')
    .select('unsubscribe_seed')
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow()
  return unsubscribeTokenOf(app.keyring, unsubscribe_seed)
}

const findContact = async (token: string) => (await findContactsByTokens(app.db, [token])).get(token)

const optOut = async (token: string) => {
  const contact = await findContact(token)
  return contact && app.transaction((tx) => unsubscribeContact(tx, contact))
}

const make = async (team: TestTeam, email: string) => (await team.api.post('/v1/contacts', { email })).body

test('a token belongs to one contact, created or imported, and opting out blocks its address; repeating it changes nothing', async () => {
  const team = await posthorn.team()
  const ada = await make(team, 'Ada@example.com')
  await team.api.post('/v1/contacts/import', { contacts: [{ email: 'bob@example.com' }, { email: 'eve@example.com' }] })
  const [eve, bob] = (await team.api.get('/v1/contacts')).body.data
  const tokens = await Promise.all([ada, bob, eve].map(({ id }) => tokenOf(id)))
  assert.equal(new Set(tokens).size, 3)
  for (const token of tokens) assert.match(token, /^[\w-]{32}$/)
  posthorn.clock.advance(1000)
  assert.deepEqual(await Promise.all([optOut(tokens[0]!), optOut(tokens[0]!)]).then((results) => results.sort()), [
    false,
    true,
  ])
  assert.equal(await optOut(tokens[1]!), true)
  const { data } = (await team.api.get('/v1/suppressions')).body
  assert.deepEqual(pluckRows(data, 'email', 'reason'), [
    ['bob@example.com', 'unsubscribe'],
    ['Ada@example.com', 'unsubscribe'],
  ])
  const shown = (await team.api.get(`/v1/contacts/${ada.id}`)).body
  assert.deepEqual(shown, { ...ada, unsubscribed: true, updatedAt: posthorn.clock.now().toISOString() })
  await team.api.delete(`/v1/suppressions/${data[1].id}`)
  assert.equal(await optOut(tokens[0]!), false)
  assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 1)
  await team.api.patch(`/v1/contacts/${ada.id}`, { unsubscribed: false })
  assert.equal(await optOut(tokens[0]!), true, 'and again after coming back')
})

test('an invalid token finds no contact, and a copy of the database gives no valid token', async () => {
  const team = await posthorn.team()
  const { id } = await make(team, 'ada@example.com')
  const row = await app.db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const wrong = [
    '',
    'x',
    id,
    row.unsubscribe_seed,
    row.unsubscribe_hash,
    unsubscribeTokenOf(app.keyring, newUnsubscribeSeed()),
  ]
  for (const token of wrong) assert.equal(await findContact(token), undefined)
  const token = await tokenOf(id)
  assert.equal((await findContact(token))?.id, id)
  await team.api.delete(`/v1/contacts/${id}`)
  assert.equal(await findContact(token), undefined)
})

test('creations, changes and opt-outs are published by id, and a change without effect is not', async () => {
  const team = await posthorn.team()
  const heard: ContactEvent[] = []
  const listening = listenedTo(heard)
  const take = () => heard.splice(0).map(({ type, teamId, data }) => [type, teamId, data.contactId])
  const { id } = await createContact(listening, team.id, { email: 'ada@example.com' })
  assert.deepEqual(take(), [['contact.created', team.id, id]])
  await updateContact(listening, team.id, id, { firstName: 'Ada' })
  assert.deepEqual(take(), [['contact.updated', team.id, id]])
  await updateContact(listening, team.id, id, { firstName: 'Ada', unsubscribed: false })
  assert.deepEqual(take(), [])
  await updateContact(listening, team.id, id, { unsubscribed: true })
  assert.deepEqual(
    take(),
    ['contact.updated', 'contact.unsubscribed'].map((type) => [type, team.id, id]),
  )
  await updateContact(listening, team.id, id, { unsubscribed: false })
  assert.deepEqual(take(), [['contact.updated', team.id, id]])
  const contacts = [
    { email: 'ada@example.com', unsubscribed: true },
    { email: 'bob@example.com', unsubscribed: true },
  ]
  await importContacts(listening, team.id, { contacts })
  const [bob] = (await team.api.get('/v1/contacts?search=bob')).body.data
  assert.deepEqual(take(), [
    ['contact.created', team.id, bob.id],
    ['contact.updated', team.id, id],
    ['contact.unsubscribed', team.id, id],
  ])
  await importContacts(listening, team.id, { contacts })
  assert.deepEqual(take(), [])
  await updateContact(listening, team.id, id, { unsubscribed: false })
  take()
  await listening.transaction((tx) => unsubscribeContact(tx, { teamId: team.id, id }))
  assert.deepEqual(take(), [['contact.unsubscribed', team.id, id]])
})

type ContactEvent = Event<'contact.created' | 'contact.updated' | 'contact.unsubscribed'>

/** Returns the app with one more subscription, which notes the events. */
function listenedTo(heard: ContactEvent[]): App {
  const listener = defineSubscription({
    types: ['contact.created', 'contact.updated', 'contact.unsubscribed'],
    listen: async (_tx, events) => void heard.push(...events),
  })
  const listeners = subscribersOf([listener], app.config)
  return {
    ...app,
    transaction: (work) => app.transaction((tx) => work({ ...tx, subscriptions: [...tx.subscriptions, ...listeners] })),
  }
}
