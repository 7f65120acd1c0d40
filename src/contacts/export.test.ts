import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../test/app.ts'
import { csvParser } from './csv/parse.ts'

const posthorn = await sharedTestApp()

async function exported(team: TestTeam, path = '/v1/contacts/export') {
  const { status, headers, text } = await team.api.get(path)
  assert.equal(status, 200, text)
  const parser = csvParser(',')
  const records = [...parser.push(text), ...parser.end()].map(({ cells }) => cells)
  return { headers, text, records }
}

test('all contacts are exported as CSV, newest first, in as many pages as it takes', async () => {
  const team = await posthorn.team()
  const contacts = Array.from({ length: 1100 }, (_, n) => ({ email: `n${n}@people.test`, properties: { n } }))
  await team.api.post('/v1/contacts/import', { contacts })
  const { headers, records } = await exported(team)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['content-disposition'], 'attachment; filename="contacts.csv"')
  const [header, ...rows] = records
  assert.deepEqual(header, [
    ...['id', 'email', 'firstName', 'lastName', 'phoneNumber', 'unsubscribed', 'properties', 'createdAt', 'updatedAt'],
  ])
  assert.deepEqual(
    rows.map((cells) => [cells[1], cells[6]]),
    contacts.toReversed().map(({ email, properties }) => [email, JSON.stringify(properties)]),
  )
})

test('cells are quoted, formulas are defused, and the file reads back unchanged', async () => {
  const team = await posthorn.team()
  const contact = {
    email: 'ada@people.test',
    firstName: '=1+1',
    lastName: '＝"Ada", L',
    phoneNumber: '+447700900123',
  }
  const { body } = await team.api.post('/v1/contacts', { ...contact, properties: { note: '=2\n' } })
  const { text, records } = await exported(team)
  assert.ok(text.includes(`,'=1+1,"'＝""Ada"", L",'+447700900123,false,`), text)
  const { id, createdAt, updatedAt } = body
  const fields = [contact.email, contact.firstName, contact.lastName, contact.phoneNumber, 'false', '{"note":"=2\\n"}']
  assert.deepEqual(records[1], [id, ...fields, createdAt, updatedAt])
  assert.deepEqual((await exported(await posthorn.team())).records.length, 1)
})

test('an export takes the filters of the list', async () => {
  const team = await posthorn.team()
  const rows = ['a', 'b', 'c'].map((name) => ({ email: `${name}@people.test`, unsubscribed: name === 'b' }))
  const { id } = (await team.api.post('/v1/segments', { name: 'Customers' })).body
  await team.api.post('/v1/contacts/import', { contacts: rows.slice(0, 2), segmentId: id })
  await team.api.post('/v1/contacts/import', { contacts: rows.slice(2) })
  const emails = async (query: string) =>
    (await exported(team, `/v1/contacts/export?${query}`)).records.slice(1).map(([, email]) => email)
  assert.deepEqual(await emails(`segmentId=${id}`), ['b@people.test', 'a@people.test'])
  assert.deepEqual(await emails(`segmentId=${id}&unsubscribed=false`), ['a@people.test'])
  assert.deepEqual(await emails('search=B@people'), ['b@people.test'])
  assert.deepEqual(await emails(`segmentId=${id}&search=people&unsubscribed=false`), ['a@people.test'])
  for (const query of ['cursor=x', 'limit=5']) {
    assert.equal((await team.api.get(`/v1/contacts/export?${query}`)).status, 400, query)
  }
})

test('blocked addresses are exported, those of the mode and the reason that are asked for', async () => {
  const team = await posthorn.team()
  for (const email of ['a@people.test', '=b@people.test']) {
    assert.equal((await team.api.post('/v1/suppressions', { email })).status, 200)
  }
  const path = '/v1/suppressions/export'
  const { headers, text, records } = await exported(team, path)
  assert.equal(headers['content-disposition'], 'attachment; filename="suppressions.csv"')
  assert.ok(text.includes(`,'=b@people.test,manual,`), text)
  assert.deepEqual(records[0], ['id', 'email', 'reason', 'createdAt'])
  assert.deepEqual(
    records.slice(1).map(([, email, reason]) => [email, reason]),
    [
      ['=b@people.test', 'manual'],
      ['a@people.test', 'manual'],
    ],
  )
  assert.equal((await exported(team, `${path}?reason=bounce`)).records.length, 1)
  assert.equal((await exported(team, `${path}?search=%3Db`)).records.length, 2)
  const { api } = await team.member('viewer')
  assert.equal((await api.get(`${path}?mode=test`)).text.split('\r\n').length, 2)
})
