import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { createReplyReader, formatReply, isPermanent, NonsenseError, type Reply } from './reply.ts'

function readAll(...chunks: string[]): Reply[] {
  const reader = createReplyReader()
  const replies: Reply[] = []
  for (const chunk of chunks) {
    reader.push(Buffer.from(chunk))
    for (let reply = reader.next(); reply; reply = reader.next()) replies.push(reply)
  }
  return replies
}

test('a reply is its code, its enhanced code and the text of all its lines', () => {
  assert.deepEqual(readAll('550-5.1.1 No such\r\n550 5.1.1 user\r\n250 ok\r\n354\r\n'), [
    { code: 550, enhanced: '5.1.1', text: 'No such\nuser' },
    { code: 250, enhanced: null, text: 'ok' },
    { code: 354, enhanced: null, text: '' },
  ])
})

test('an enhanced code of another class than the reply is read as text', () => {
  assert.deepEqual(readAll('250 5.1.1 is a version\r\n'), [{ code: 250, enhanced: null, text: '5.1.1 is a version' }])
})

propertyTest('replies are the same however their bytes are split', () => {
  const line = fc.record({
    code: fc.integer({ min: 200, max: 599 }),
    lines: fc.array(fc.stringMatching(/^[a-zA-Zéü€ ]{0,20}$/), { minLength: 1, maxLength: 5 }),
  })
  forAll(200, fc.array(line, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 9 })), (replies, cuts) => {
    const bytes = Buffer.from(
      replies
        .map(({ code, lines }) => lines.map((text, at) => wire(code, text, at === lines.length - 1)).join(''))
        .join(''),
    )
    const reader = createReplyReader()
    const read: Reply[] = []
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = cuts[turn % cuts.length] ?? 1
      reader.push(bytes.subarray(at, at + size))
      at += size
      for (let reply = reader.next(); reply; reply = reader.next()) read.push(reply)
    }
    assert.deepEqual(
      read,
      replies.map(({ code, lines }) => ({ code, enhanced: null, text: lines.join('\n') })),
    )
  })
})

function wire(code: number, text: string, last: boolean): string {
  return `${code}${last ? ' ' : '-'}${text}\r\n`
}

propertyTest('any bytes become replies of limited length or a NonsenseError', () => {
  forAll({ always: 100 }, fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
    const reader = createReplyReader()
    try {
      for (const chunk of chunks) {
        reader.push(Buffer.from(chunk))
        while (reader.next());
      }
    } catch (error) {
      assert(error instanceof NonsenseError)
    }
  })
})

test('other protocols, endless lines, endless replies and changing codes are refused', () => {
  for (const nonsense of [
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 400 Bad Request\r\n',
    '\r\n',
    '100 continue\r\n',
    '250-a\r\n251 b\r\n',
    `250 ${'x'.repeat(5000)}`,
    '250-x\r\n'.repeat(10_000),
  ]) {
    assert.throws(() => readAll(nonsense), NonsenseError)
  }
})

test('a reply has no control characters', () => {
  assert.equal(formatReply(readAll('550 5.7.1 a\0b\x1b[31mc\r\n')[0]!), '550 5.7.1 a b [31mc')
})

test('a server that requires a login has not refused the message or recipient permanently', () => {
  assert.deepEqual(
    [550, 450, 530, 535].map((code) => isPermanent({ code, enhanced: null, text: '' })),
    [true, false, false, false],
  )
})
