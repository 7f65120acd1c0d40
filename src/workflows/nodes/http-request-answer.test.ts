import assert from 'node:assert/strict'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { createTestApp } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { errorOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const peer = await startPeer()

/** Runs a node whose request is answered with these headers and bytes. */
function answered(headers: Record<string, string | string[]>, body: Buffer | string) {
  peer.answer = (response) => response.writeHead(200, headers).end(body)
  return runChain(posthorn, team, [{ type: 'http_request', config: { url: peer.url, method: 'GET' } }])
}
const textOf = async (type: string, body: Buffer) => outputOf(await answered({ 'Content-Type': type }, body)).body

test('text is read by its byte order mark, else by its charset, else as UTF-8', async () => {
  const latin = Buffer.from('Zoë, 5 £', 'latin1')
  const utf16 = Buffer.from('Zoë €', 'utf16le')
  for (const [type, bytes, text] of [
    ['text/plain; charset=iso-8859-1', latin, 'Zoë, 5 £'],
    ['text/plain; x="a;b"; Charset = "ISO-8859-15"', Buffer.of(0xa4), '€'],
    ['application/json;charset=windows-1251', Buffer.of(0xcf, 0xf0), 'Пр'],
    ['text/plain; charset=shift_jis', Buffer.of(0x93, 0xfa), '日'],
    ['text/plain; charset=utf-16le', utf16, 'Zoë €'],
    ['text/plain', Buffer.from('Zoë €'), 'Zoë €'],
    ['application/json', Buffer.from('\ufeff{"a":1}'), '{"a":1}'],
    ['text/plain; charset=iso-8859-1', Buffer.from('\ufeffZoë'), 'Zoë'],
    ['text/plain', Buffer.concat([Buffer.of(0xff, 0xfe), utf16]), 'Zoë €'],
    ['text/plain; charset=utf-8', Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(utf16).swap16()]), 'Zoë €'],
    ['text/plain; charset=unheard-of', Buffer.from('Zoë €'), 'Zoë €'],
  ] as const) {
    assert.equal(await textOf(type, bytes), text, type)
  }
  const unknown = await answered({ 'Content-Type': 'text/plain; charset=unheard-of' }, latin)
  assert.match(errorOf(unknown), /has the charset "unheard-of", which is not known here/)
})

test('identity is asked for, and gzip, deflate and br are decoded all the same', async () => {
  const text = 'Zoë '.repeat(1000)
  const bytes = Buffer.from(text)
  for (const [coding, body] of [
    ['gzip', zlib.gzipSync(bytes)],
    ['X-GZIP', zlib.gzipSync(bytes)],
    ['deflate', zlib.deflateSync(bytes)],
    ['deflate', zlib.deflateRawSync(bytes)],
    ['br', zlib.brotliCompressSync(bytes)],
    ['gzip, identity, br', zlib.brotliCompressSync(zlib.gzipSync(bytes))],
    ['identity', bytes],
    ['gzip', Buffer.alloc(0)],
  ] as const) {
    const expected = body.length === 0 ? '' : text
    assert.equal(outputOf(await answered({ 'Content-Encoding': coding }, body)).body, expected, coding)
  }
  assert.equal(peer.asked.at(-1)!.headers['accept-encoding'], 'identity')
})

test('an answer that cannot be decoded fails the node at once, and the request is made once', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(1024 * 1024 + 1))
  for (const [coding, body, error] of [
    ['zstd', 'x', /has the content coding "zstd"/],
    ['constructor', 'x', /has the content coding "constructor"/],
    ['gzip', 'plain', /is not "gzip", as its header says/],
    ['br', zlib.brotliCompressSync('whole').subarray(0, 4), /is not "br"/],
    ['gzip', bomb, /larger than 1 MiB/],
    ['gzip', zlib.gzipSync('x'.repeat(5000)).subarray(0, 20), /is not "gzip"/],
    ['gzip,gzip,gzip,gzip', 'x', /more than 3 content codings/],
  ] as const) {
    const before = peer.asked.length
    const at = posthorn.clock.now().getTime()
    assert.match(errorOf(await answered({ 'Content-Encoding': coding }, body)), error)
    assert.deepEqual([peer.asked.length, posthorn.clock.now().getTime()], [before + 1, at], coding)
  }
})

test('the cookies of an answer are a list, also a single one', async () => {
  const cookies = ['a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT', 'b=2']
  const two = outputOf(await answered({ 'Set-Cookie': cookies, 'X-Two': ['a', 'b'] }, ''))
  assert.deepEqual([two.headers['set-cookie'], two.headers['x-two']], [cookies, 'a, b'])
  assert.deepEqual(outputOf(await answered({ 'Set-Cookie': 'c=3' }, '')).headers['set-cookie'], ['c=3'])
  assert.equal('set-cookie' in outputOf(await answered({}, '')).headers, false)
})
