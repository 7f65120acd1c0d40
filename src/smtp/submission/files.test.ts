import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { startSubmission } from './fixtures/start.ts'

const { posthorn, smtps } = await startSubmission()
const team = await posthorn.team()
await team.api.patch(`/v1/domains/${team.domainId}`, { clickTracking: true })
const auth = { user: team.key, pass: team.key }
const transport = createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
after(() => transport.close())

/** Submits a message, and returns its texts and files as the API shows them, and its HTML as it went out. */
async function submit(...lines: string[]) {
  const head = [`From: hello@${team.domain}`, 'To: ada@example.com', 'Subject: Hello', 'MIME-Version: 1.0']
  const envelope = { from: `hello@${team.domain}`, to: 'ada@example.com' }
  const { response } = await transport.sendMail({ envelope, raw: [...head, ...lines, ''].join('\r\n') })
  const path = `/v1/emails/${response.slice(-36)}`
  const [email, message] = [await team.api.get(path), await team.api.get(`${path}/message`)]
  const files: string[][] = []
  for (const [n, { filename, contentType, size }] of message.body.attachments.entries()) {
    const { text } = await team.api.get(`${path}/attachments/${n}`)
    files.push([filename, contentType, text])
    assert.equal(Buffer.byteLength(text), size)
  }
  const { data } = (await team.api.get('/v1/inbox?limit=1')).body
  const sent = (await team.api.get(`/v1/inbox/${data[0].id}`)).body
  return { text: email.body.text, html: email.body.html, files, sent }
}

const mixed = (...parts: string[][]) => [
  'Content-Type: multipart/mixed; boundary=b',
  '',
  ...parts.flatMap((part) => ['--b', ...part]),
  '--b--',
]
const hello = ['Content-Type: text/plain', '', 'Hello']
const base64 = (text: string) => Buffer.from(text).toString('base64')

test('the line end before a delimiter is not part of a file', async () => {
  const file = ['Content-Type: application/x-notes; name=a', '', 'one', 'two']
  const table = ['Content-Type: text/csv', 'Content-Disposition: attachment; filename=b.csv', '', '1,2', '3,4', '']
  const { files, text } = await submit(...mixed(hello, file, table))
  assert.deepEqual(
    [text, files],
    [
      'Hello',
      [
        ['a', 'application/x-notes', 'one\r\ntwo'],
        ['b.csv', 'text/csv', '1,2\n3,4\n'],
      ],
    ],
  )
})

test('a text with a name is a file, however the name is written, and the only text of a message is its text', async () => {
  for (const [type, disposition] of [
    ['text/html; name=a.html', 'inline'],
    ['text/html', 'inline; filename=a.html'],
    ["text/html; name*=utf-8''a.html", 'inline'],
    ['text/html', "inline;\r\n filename*0*=utf-8''a.;\r\n filename*1=html"],
  ] as const) {
    const file = [`Content-Type: ${type}`, `Content-Disposition: ${disposition}`, '', '<p>A file</p>']
    const { text, html, files } = await submit(...mixed(hello, file))
    assert.deepEqual(
      [text, html, files],
      ['Hello', null, [['a.html', 'text/html', '<p>A file</p>']]],
      type + disposition,
    )
  }
  const { text, files } = await submit('Content-Type: text/plain; name=body.txt', '', 'Hello')
  assert.deepEqual([text, files], ['Hello', []])
})

test('a file’s name in sections is read in its character set, also if they cut a character', async () => {
  for (const [sections, name] of [
    [["filename*0*=iso-8859-1'de'Gr%FC;", 'filename*1*=%DFe;', 'filename*2=".pdf"'], 'Grüße.pdf'],
    [["filename*0*=shift_jis''%82%B1%82;", 'filename*1*=%F1%82%C9;', 'filename*2=.pdf'], 'こんに.pdf'],
  ] as const) {
    const disposition = `Content-Disposition: attachment;\r\n ${sections.join('\r\n ')}`
    const { files } = await submit(...mixed(hello, ['Content-Type: application/pdf', disposition, '', '%PDF']))
    assert.equal(files[0]?.[0], name)
  }
})

test('base64 that is padded line by line is read and tracked to its end, and text that a list has added is left out', async () => {
  const encoding = 'Content-Transfer-Encoding: base64'
  const lines = ['<p>Hello</p>', '<a href="https://x.test/">x</a> ', '<p>The end</p>']
  const { html, sent } = await submit('Content-Type: text/html', encoding, '', ...lines.map(base64))
  assert.equal(html, lines.join(''))
  assert.match(sent.html, /^<p>Hello<\/p><a href="[^"]*\/t\/c\/[^"]*">x<\/a> <p>The end<\/p>/)
  const added = ['', '-- ', 'The list of Hello']
  assert.equal((await submit('Content-Type: text/plain', encoding, '', base64('Hello'), ...added)).text, 'Hello')
})

test('a character set in single quotes is read in the inbox, too', async () => {
  const { text, sent } = await submit("Content-Type: text/plain; charset='utf-8'", '', 'Grüße')
  assert.deepEqual([text, sent.text], ['Grüße', 'Grüße'])
})
