import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../test/slow.ts'
import { parseMail } from './parse-mail.ts'

const head = 'From: a@shop.test\r\nSubject: Hi\r\nMIME-Version: 1.0\r\n'
const mixed = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n`
const base64 = `${head}Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n`

/** The text and the attachments of a message. */
async function read(message: string) {
  const { text = '', attachments } = await parseMail(Buffer.from(message))
  return [
    text.trim(),
    ...attachments.map(({ content }) =>
      Buffer.from(content as ArrayBuffer)
        .toString('latin1')
        .trim(),
    ),
  ]
}

/** Also more lines than the parser is given. */
for (const lines of [3, 30_000]) {
  test(`a message of ${lines} lines has its texts and files, and nothing of what stands between them`, async () => {
    const many = (line: string) => `${line}\r\n`.repeat(lines)
    const shown = (line: string) => `${line}\n`.repeat(lines).trim()
    assert.deepEqual(await read(`${head}\r\n${many('ab')}`), [shown('ab')])
    assert.deepEqual(await read(`${head}Content-Type: message/rfc822\r\n\r\n${many('ab')}`), ['', shown('ab')])
    const parts = `--b\r\n\r\nHi\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\n\r\n${many('1,2')}\r\n--b--\r\n`
    assert.deepEqual(await read(mixed + many('before') + parts + many('after')), ['Hi', shown('1,2')])
    assert.deepEqual(await read(base64 + many('YQ==')), ['', 'a'.repeat(lines)])
  })
}

slowTest('megabytes of short lines are read without gigabytes of memory', async () => {
  const lines = '\r\n'.repeat(1_000_000)
  for (const message of [
    `${head}${lines}`,
    `${mixed}${lines}--b\r\n\r\nHi\r\n--b--\r\n`,
    base64 + 'YQ==\r\n'.repeat(500_000),
  ]) {
    const before = process.memoryUsage().rss
    await parseMail(Buffer.from(message))
    const grownBytes = process.memoryUsage().rss - before
    assert.ok(grownBytes < 500_000_000, `${grownBytes} bytes`)
  }
})
