import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../test/app.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()

function send(contentType: string) {
  const attachments = [{ filename: 'x.pdf', contentType, content: Buffer.from('abc').toString('base64') }]
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: 'y', attachments }
  return team.api.post('/v1/emails', email)
}

/** Sends a file of this type. Returns the lines of its part's Content-Type as they go out. */
async function sentType(contentType: string): Promise<string[]> {
  await ok(send(contentType))
  const { data } = await ok(team.api.get('/v1/inbox?limit=1'))
  const { text } = await team.api.get(`/v1/inbox/${data[0].id}`, { accept: 'message/rfc822' })
  const [head] = text.slice(text.lastIndexOf('Content-Type: ')).split('\r\nContent-Disposition')
  return head!.replace('Content-Type: ', '').split('\r\n ')
}

const name = 'name="x.pdf"'
const sent: [contentType: string, lines: string[]][] = [
  ['application/pdf', ['application/pdf;', name]],
  ['application/pdf; name="x.pdf"', ['application/pdf;', name]],
  ['application/pdf;NAME=other.pdf; x=y', ['application/pdf;', 'x=y;', name]],
  ["application/pdf; name*=UTF-8''%C3%A4.pdf; name*0=a; name*1*=b", ['application/pdf;', name]],
  ['text/calendar; method=REQUEST; charset=utf-8', ['text/calendar;', 'method=REQUEST;', 'charset=utf-8;', name]],
  ['text/calendar; charset="utf-8" ; method="REQUEST"', ['text/calendar;', 'charset=utf-8;', 'method=REQUEST;', name]],
  ['text/x-thing; a="b;c"; d=e', ['text/x-thing;', 'a="b;c";', 'd=e;', name]],
  ['text/x-thing; a="b ; name=c"; d=e', ['text/x-thing;', 'a="b ; name=c";', 'd=e;', name]],
  ['text/x-thing; a="say \\"b;c\\" \\\\ d"', ['text/x-thing;', 'a="say \\"b;c\\" \\\\ d";', name]],
  ['text/x-thing; a=""', ['text/x-thing;', 'a="";', name]],
  ['text/x-thing; charset=utf-8; CHARSET=latin1', ['text/x-thing;', 'charset=utf-8;', name]],
  ['message/rfc822; a=b', ['application/octet-stream;', name]],
  [`text/x; a="${'b;'.repeat(120)}"`, ['text/x;', `a="${'b;'.repeat(120)}";`, name]],
]

for (const [contentType, lines] of sent) {
  test(`a file of the type ${contentType.slice(0, 60)} goes out with each parameter once, and its name`, async () => {
    assert.deepEqual(await sentType(contentType), lines)
  })
}

const refused = [
  ...['', 'text', 'text/', '/plain', 'text/plain;', 'text/plain; charset', 'text/plain; =x', 'text plain/x'],
  ...['text/plain (a comment)', 'text/plain; a="b', 'text/plain; a="b\\"', 'text/plain; a=b"c"', 'text/plain\r\nX: y'],
  ...['text/plain; a="ä"', 'text/plain; ä=b', `text/plain; a=${'b'.repeat(300)}`, 'text/plain; a="\\\r\nX: y"'],
]

test('a content type of another form is refused, and the field is named', async () => {
  for (const contentType of refused) {
    const { status, body } = await send(contentType)
    assert.equal(status, 400, contentType)
    assert.match(JSON.stringify(body), /contentType/)
  }
})
