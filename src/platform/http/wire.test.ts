import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { listen, speak } from '../../../test/wire.ts'

const posthorn = await createTestApp()
const port = await listen(posthorn)
const team = await posthorn.team()

const host = 'Host: localhost\r\n'
const close = 'Connection: close\r\n'
const authorization = `Authorization: Bearer ${team.key}\r\n`
const json = 'Content-Type: application/json\r\n'

function assertRefusal(answer: string, status: number): void {
  assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), answer.slice(0, 300))
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.match(answer, new RegExp(`^${name}: \\S`, 'im'), `${name} in ${answer.slice(0, 500)}`)
  }
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  assert.equal(body.status_code, status)
  assert.equal(typeof body.name, 'string')
  assert.equal(typeof body.message, 'string')
}

const refused: Record<string, [string | Buffer, number]> = {
  'bytes that are no HTTP': ['\x16\x03\x01 hello\r\n\r\n', 400],
  'a request line of nonsense': ['NONSENSE\r\n\r\n', 400],
  'headers past 16 KiB': [`GET /health HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  'a URL past 16 KiB': [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
  'a header line without a colon': [`GET /health HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400],
  'a NUL in a header': [`GET /health HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
  'no Host': [`GET /health HTTP/1.1\r\n${close}\r\n`, 400],
  'two lengths of one body': [
    `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    400,
  ],
  'a length and chunks': [
    `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  'a chunk of nonsense': [`POST /auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  'a tunnel': ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
  'an unknown method': [`PROPFIND /v1/emails HTTP/1.1\r\n${host}${close}\r\n`, 405],
  'a path that cannot be decoded': [`GET /v1/emails/%zz HTTP/1.1\r\n${host}${close}\r\n`, 400],
  'a path parameter past all bounds': [`GET /v1/emails/${'x'.repeat(2000)} HTTP/1.1\r\n${host}${close}\r\n`, 400],
  'an upgrade to something else': [
    `GET /nowhere HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
    404,
  ],
  'an expectation that nobody knows': [`GET /nowhere HTTP/1.1\r\n${host}${close}Expect: the-impossible\r\n\r\n`, 404],
}

for (const [what, [bytes, status]] of Object.entries(refused)) {
  test(`${what}: ${status} with every header of an answer`, async () => {
    assertRefusal(await speak(port, bytes), status)
  })
}

test('a body shorter than its announced length is refused when the sender closes', async () => {
  const request = `POST /v1/templates HTTP/1.1\r\n${host}${authorization}${json}Content-Length: 100\r\n\r\n{"name":"x"}`
  assertRefusal(await speak(port, request, { halfClose: true }), 400)
})

test('bytes after a body of the right length are another request', async () => {
  const body = '{"name":"x"}'
  const request = `POST /v1/templates HTTP/1.1\r\n${host}${authorization}${json}Content-Length: ${body.length}\r\n\r\n${body}nonsense\r\n\r\n`
  const answer = await speak(port, request)
  assert.match(answer, /^HTTP\/1.1 200 /)
  assertRefusal(answer.slice(answer.lastIndexOf('HTTP/1.1')), 400)
})

test('requests before garbage are answered first, in their order', async () => {
  const answer = await speak(
    port,
    `GET /health HTTP/1.1\r\n${host}\r\nGET /nowhere HTTP/1.1\r\n${host}\r\n\0\0\0garbage`,
  )
  assert.deepEqual(
    [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    [200, 404, 400],
  )
})

test('a body too large by its length or in chunks is 413, and the sender can finish writing and read it', async () => {
  const tooLarge = Buffer.alloc(3 * 1024 * 1024, 0x20)
  const head = `POST /v1/templates HTTP/1.1\r\n${host}${authorization}${json}${close}`
  const whole = Buffer.concat([Buffer.from(`${head}Content-Length: ${tooLarge.length}\r\n\r\n`), tooLarge])
  assertRefusal(await speak(port, whole), 413)
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')])
  const chunks = Buffer.concat([
    Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`),
    chunk,
    chunk,
    chunk,
    Buffer.from('0\r\n\r\n'),
  ])
  assertRefusal(await speak(port, chunks), 413)
})

test('a connection stays good after a refused body', async () => {
  const body = Buffer.alloc(2 * 1024 * 1024, 0x20)
  const head = `POST /v1/templates HTTP/1.1\r\n${host}${authorization}${json}Content-Length: ${body.length}\r\n\r\n`
  const answer = await speak(
    port,
    Buffer.concat([Buffer.from(head), body, Buffer.from(`GET /health HTTP/1.1\r\n${host}${close}\r\n`)]),
  )
  assert.deepEqual(
    [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    [413, 200],
  )
})

test('a GET with a body is answered as one without', async () => {
  const answer = await speak(port, `GET /health HTTP/1.1\r\n${host}${close}${json}Content-Length: 9\r\n\r\nnonsense!`)
  assert.match(answer, /^HTTP\/1.1 200 /)
})

test('HEAD has the headers and no body', async () => {
  const answer = await speak(port, `HEAD /health HTTP/1.1\r\n${host}${close}\r\n`)
  assert.match(answer, /^HTTP\/1.1 200 /)
  assert.ok(answer.endsWith('\r\n\r\n'))
})
