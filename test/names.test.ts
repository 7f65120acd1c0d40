import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nameFault } from '../src/platform/text/name.ts'
import { anyCharacter } from './any-text.ts'
import { sharedTestApp } from './app.ts'
import { forAll } from './for-all.ts'
import { propertyTest } from './slow.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const owner = await team.member('owner')
const { body: document } = await posthorn.anyone.get('/openapi.json')
const password = 'a long and winding road'
let people = 0

const made = async (path: string, body: object) => (await team.api.post(path, body)).body.id as string
const segmentId = await made('/v1/segments', { name: 'Customers' })
const sms = { senderId: 'Posthorn', senderType: 'alphanumeric_id', country: 'GB' }
const whatsapp = { phoneNumber: '+14155550100' }
const secret = { type: 'bearer', secret: { token: 'a token' } }
const broadcast = { from: `a@${team.domain}`, segmentId, subject: 'Hi', text: 'Hi' }

type Field = [method: 'post' | 'patch', path: string, body: (name: string) => object]
const named =
  (others: object = {}) =>
  (name: string) => ({ name, ...others })
const change = async (path: string, body: object): Promise<Field> => [
  'patch',
  `${path}/${await made(path, body)}`,
  named(),
]

/** Every name that a request gives. */
const fields: Field[] = [
  ['post', '/auth/signup', (name) => ({ name, email: `name${++people}@example.com`, password })],
  ['post', '/auth/signup', (teamName) => ({ teamName, email: `name${++people}@example.com`, password })],
  ['patch', '/auth/me', named()],
  ['post', '/auth/teams', named()],
  ['patch', '/v1/team', named()],
  ['post', '/v1/api-keys', named()],
  await change('/v1/api-keys', { name: 'Shop' }),
  ['post', '/v1/templates', named()],
  await change('/v1/templates', { name: 'Welcome' }),
  ['post', '/v1/segments', named()],
  await change('/v1/segments', { name: 'Welcome' }),
  ['post', '/v1/topics', named()],
  await change('/v1/topics', { name: 'Welcome' }),
  ['post', '/v1/broadcasts', named(broadcast)],
  await change('/v1/broadcasts', { name: 'June news', ...broadcast }),
  ['post', '/v1/workflows', named()],
  await change('/v1/workflows', { name: 'Welcome' }),
  ['post', '/v1/credentials', named(secret)],
  ['post', '/v1/sms/senders', named(sms)],
  await change('/v1/sms/senders', { name: 'Shop', ...sms, senderId: 'Shop' }),
  ['post', '/v1/whatsapp/senders', (name) => ({ name, phoneNumber: `+1415555${1000 + ++people}` })],
  await change('/v1/whatsapp/senders', { name: 'Shop', ...whatsapp }),
  [
    'patch',
    `/v1/whatsapp/senders/${await made('/v1/whatsapp/senders', { name: 'Shop', phoneNumber: '+14155550199' })}`,
    (displayName) => ({ displayName }),
  ],
]

const send = ([method, path, body]: Field, name: string) => {
  const isOfPerson = /^\/auth\/(me|teams)|^\/v1\/(team$|api-keys)/.test(path)
  return (path === '/auth/signup' ? posthorn.anyone : isOfPerson ? owner.api : team.api)[method](path, body(name))
}

const bad = [
  ' ',
  '\u00a0\u3000',
  '\u2800',
  'Ada\u202eecalevoL',
  '\u200b',
  'A\u200dB',
  'Sh\u00adop',
  'a\nb',
  'a\u0007',
  '\u2066x\u2069',
]
const good = [
  'Ada O’Neil-Lovelace',
  'דנה',
  'سارة',
  'می\u200cخواهم',
  'ශ්\u200dරී ලංකා',
  'क्\u200dष',
  '葛\u{e0100}城',
  '👩🏽\u200d🚀 Team ❤\ufe0f 1\ufe0f\u20e3',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '山田',
  'נועה 2',
]

for (const field of fields) {
  const [method, path, body] = field
  const [key = ''] = Object.keys(body(''))
  test(`a ${key} that is blank or holds hidden characters is refused by name: ${method} ${path.replace(/[\da-f-]{36}/, '{id}')}`, async () => {
    for (const name of bad) {
      const { status, body: answer } = await send(field, name)
      assert.equal(status, 400, JSON.stringify(name))
      assert.match(answer.message, new RegExp(`^${key}: must not (be blank|hold the character U\\+[0-9A-F]{4})`))
    }
  })
}

test('names of all scripts, and emoji of several characters, are accepted', async () => {
  for (const name of good) {
    const answer = await team.api.post('/v1/templates', { name })
    assert.deepEqual([answer.status, answer.body.name], [200, name], answer.text)
  }
})

test('the message says which character to remove', async () => {
  const { body } = await team.api.post('/v1/topics', { name: 'News\u202e' })
  assert.equal(
    body.message,
    'name: must not hold the character U+202E, which is invisible, or turns or breaks the text around it; remove it',
  )
})

test('every name of a request is known as one to the API document', () => {
  // Names of other things than people see: a template of Meta, a header or tag, a domain, the header of an invoice.
  const others = ['/v1/whatsapp/templates', '/v1/domains', '/v1/emails', '/v1/emails/batch']
  const unchecked = Object.entries<Record<string, { requestBody?: object }>>(document.paths)
    .filter(([path]) => !others.includes(path))
    .flatMap(([path, operations]) => Object.values(operations).flatMap(({ requestBody }) => namesIn(requestBody, path)))
  assert.deepEqual(unchecked, [])
  assert.ok(JSON.stringify(document).split('"format":"name"').length > 20, 'the test reads the document')
})

function namesIn(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, part]) => {
    const isName = ['name', 'teamName', 'displayName'].includes(key) && part?.type && part.format !== 'name'
    return isName ? [`${at}.${key}`] : namesIn(part, `${at}.${key}`)
  })
}

propertyTest('a character that turns or hides text is found wherever it stands', () => {
  const hidden = fc.constantFrom(
    '\u200b',
    '\u200e',
    '\u202a',
    '\u2067',
    '\u2060',
    '\ufeff',
    '\u034f',
    '\u3164',
    '\u0000',
    '\u2028',
  )
  const plain = fc.string({ unit: anyCharacter, maxLength: 20 })
  forAll(1000, plain, hidden, plain, (before, character, after) => {
    assert.notEqual(nameFault(`${before}${character}${after}`), null)
  })
})
