import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()

const send = (headers: Record<string, string>) =>
  team.api.post('/v1/emails', {
    from: `hello@${team.domain}`,
    to: ['ada@example.com'],
    subject: 'Hello',
    text: 'Hi',
    headers,
  })

/** Sends an email with a header, and returns the value as it goes out, unfolded. */
async function sent(name: string, value: string): Promise<string | undefined> {
  const answer = await send({ [name]: value })
  assert.equal(answer.status, 200, answer.text)
  const { body } = await team.api.get('/v1/inbox?limit=1')
  assert.equal(body.data[0].emailId, answer.body.id)
  const raw = await team.api.get(`/v1/inbox/${body.data[0].id}`, { accept: 'message/rfc822' })
  const fields = raw.text.slice(0, raw.text.indexOf('\r\n\r\n')).replaceAll('\r\n ', ' ').split('\r\n')
  return fields.find((field) => field.startsWith(`${name}: `))?.slice(name.length + 2)
}

test('a header with structure keeps its addresses, message ids and URIs readable, and its words are encoded', async () => {
  const words = '=?UTF-8?B?R3LDtsOfZQ==?='
  for (const [name, value, expected] of [
    ['List-Id', 'Größe <list.example.com>', `${words} <list.example.com>`],
    ['List-Id', '"Größe" <größe.example.com>', `${words} <xn--gre-6ka8i.example.com>`],
    [
      'List-Unsubscribe',
      '<https://größe.example/ab?x=ä&y=%20>, <mailto:stop@größe.example?subject=ä>',
      '<https://xn--gre-6ka8i.example/ab?x=%C3%A4&y=%20>, <mailto:stop@xn--gre-6ka8i.example?subject=%C3%A4>',
    ],
    ['References', '<a@b.example> Größe <c@d.example>', `<a@b.example> ${words} <c@d.example>`],
    ['In-Reply-To', 'Größe <a@b.example>', `${words} <a@b.example>`],
    [
      'Disposition-Notification-To',
      'Größe <ada@example.com>, bob@größe.example (Größe)',
      `${words} <ada@example.com>, bob@xn--gre-6ka8i.example (${words})`,
    ],
    ['Keywords', 'Größe, small', `${words}, small`],
    ['X-Reply-To', 'Größe <ada@example.com>', `${words} <ada@example.com>`],
    ['Archived-At', '<https://x.example/ä,b>', '<https://x.example/%C3%A4,b>'],
    ['X-Order', 'Größe <12>', '=?UTF-8?B?R3LDtsOfZSA8MTI+?='],
    ['List-Post', 'NO (posting not allowed)', 'NO (posting not allowed)'],
  ] as const) {
    assert.equal(await sent(name, value), expected, `${name}: ${value}`)
  }
})

test('a header whose address or message id has no form in ASCII is refused, and named', async () => {
  for (const [name, value] of [
    ['References', '<größe@b.example>'],
    ['Disposition-Notification-To', 'größe@example.com'],
    ['Return-Receipt-To', 'Größe <größe@example.com>'],
    ['Mail-Followup-To', '"größe"@example.com'],
    ['List-Archive', `<https://x.example/${'a'.repeat(970)}>`],
    ['Autocrypt', 'addr=größe@example.com; keydata=AAAA'],
  ] as const) {
    const { status, body } = await send({ [name]: value })
    assert.equal(status, 400, `${name}: ${value}`)
    assert.match(body.message, new RegExp(`^headers.${name}: `))
  }
})
