import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import type { TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { startSubmission } from '../../smtp/submission/fixtures/start.ts'
import { trackingTeam } from './fixtures/tracked-mail.ts'

const { posthorn, smtps } = await startSubmission()

/** Submits a message, and returns its id and what the inbox shows. */
async function submit(team: TestTeam, type: string, encoding: string, body: Buffer | string) {
  const head = [`From: hello@${team.domain}`, 'To: ada@example.com', 'Subject: Hello', 'MIME-Version: 1.0']
  const lines = [...head, `Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, '', ''].join('\r\n')
  const raw = Buffer.concat([Buffer.from(lines), Buffer.from(body)])
  const auth = { user: team.key, pass: team.key }
  const transport = createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
  const envelope = { from: `hello@${team.domain}`, to: 'ada@example.com' }
  const { response } = await transport.sendMail({ envelope, raw })
  transport.close()
  const emailId = response.slice(-36)
  const { body: page } = await team.api.get('/v1/inbox?limit=1')
  assert.equal(page.data[0].emailId, emailId)
  const { body: shown } = await team.api.get(`/v1/inbox/${page.data[0].id}`)
  const { body: stored } = await team.api.get(`/v1/emails/${emailId}`)
  return { shown, stored }
}

/** Returns HTML as it was before it was tracked, with `https://x.test/` for each link. */
function untracked(html: string): string {
  return html
    .replace(/http:\/\/localhost:3000\/t\/c\/[\w-]+/g, 'https://x.test/')
    .replace(/<img src="http:\/\/localhost:3000\/t\/o\/[^>]*>/g, '')
    .trimEnd()
}

const link = '<a href="https://x.test/">x</a>'

slowTest('tracked HTML shows the text that was submitted, in old, national and undeclared character sets', async () => {
  const team = await trackingTeam(posthorn)
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const meta = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'
  for (const [type, encoding, body, text] of [
    ['text/html', '8bit', latin(`${meta}Gr\xfc\xdfe, 5 \x80: ${link}`), `${meta}Grüße, 5 €: ${link}`],
    ['text/html', '8bit', latin(`Gr\xfc\xdfe ${link}`), `Grüße ${link}`],
    ['text/html; charset=us-ascii', '8bit', Buffer.from(`Größe ${link}`), `Größe ${link}`],
    ['text/html; charset=ks_c_5601-1987', '8bit', latin(`\x8cc\xb9\xe6\xb0\xa2\xc7\xcf ${link}`), `똠방각하 ${link}`],
    [
      'text/html; charset=big5-hkscs',
      'base64',
      latin(`\x94\xdc\xfd\xf6\x9d\xef${link}`).toString('base64'),
      `啫𤋁嘅${link}`,
    ],
    ['text/html; charset=iso-2022-jp', '7bit', `\x1b$BF|K\\\x1b(B ${link}`, `日本 ${link}`],
    ['text/html; charset=shift_jis', 'quoted-printable', `=83=5C=95=5C ${link.replaceAll('=', '=3D')}`, `ソ表 ${link}`],
  ] as const) {
    const { shown, stored } = await submit(team, type, encoding, body)
    assert.notEqual(untracked(shown.html), shown.html, type)
    assert.deepEqual([untracked(shown.html), stored.html], [text, text], type)
  }
})

test('each HTML text of a message is tracked, with one image, and HTML files are not', async () => {
  const team = await trackingTeam(posthorn)
  const part = (type: string, text: string) => `--b\r\nContent-Type: text/html${type}\r\n\r\n${text}\r\n`
  const body = `${part('', `one ${link}`)}${part('; name=a.html', `file ${link}`)}${part('; charset=utf-8', `two ${link}`)}--b--\r\n`
  const { shown } = await submit(team, 'multipart/mixed; boundary=b', '7bit', body)
  assert.equal(shown.html.match(/\/t\/c\//g).length, 2)
  assert.equal(shown.html.match(/\/t\/o\//g).length, 1)
  assert.match(shown.html, /one <a href="http:\/\/localhost.*two <a href="http:\/\/localhost/s)
})

test('a link in another character set leads where a client that shows it would go', async () => {
  const team = await trackingTeam(posthorn, { clickTracking: true })
  const html = Buffer.from('<a href="https://m\xfcller.test/stra\xdfe?a=1&amp;b=2">x</a>', 'latin1')
  const { shown } = await submit(team, 'text/html; charset=iso-8859-1', '8bit', html)
  const [, path = ''] = /href="http:\/\/localhost:3000([^"]*)"/.exec(shown.html) ?? []
  const { headers } = await posthorn.server.inject({ url: path })
  assert.equal(headers.location, 'https://xn--mller-kva.test/stra%C3%9Fe?a=1&b=2')
})

test('subjects and the names of files are read by the tables of the standard', async () => {
  const team = await trackingTeam(posthorn)
  const words = (charset: string, hex: string) => `=?${charset}?B?${Buffer.from(hex, 'hex').toString('base64')}?=`
  const type = `text/html; charset=utf-8\r\nX-One: ${words('ks_c_5601-1987', '8c63')}\r\n ${words('ks_c_5601-1987', 'b9e6')}`
  const { shown } = await submit(
    team,
    `${type}\r\nX-Two: ${words('big5-hkscs', '94dc')} and =?shift_jis?Q?=83=5C?=`,
    '8bit',
    'x',
  )
  assert.deepEqual([shown.headers['X-One'], shown.headers['X-Two']], ['똠방', '啫 and ソ'])
  const file =
    "--b\r\nContent-Type: a/b\r\nContent-Disposition: attachment; filename*=euc-kr''%8Cc%B9%E6.txt\r\n\r\nx\r\n--b--\r\n"
  const { shown: named } = await submit(team, 'multipart/mixed; boundary=b', '7bit', file)
  assert.equal(named.attachments[0].filename, '똠방.txt')
})
