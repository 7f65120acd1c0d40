import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { errorOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const call = (config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'http_request', config }], triggerData)

test('a body has the content type of JSON or of text, unless the config sets one', async () => {
  const peer = await startPeer()
  const post = (body: string, headers = {}) => call({ url: peer.url, method: 'POST', body, headers })
  await post('{"a": 1}')
  await post('a=1')
  await post('a=1', { 'content-TYPE': 'application/x-www-form-urlencoded' })
  assert.deepEqual(
    peer.asked.map(({ headers }) => headers['content-type']),
    ['application/json', 'text/plain; charset=utf-8', 'application/x-www-form-urlencoded'],
  )
})

test('a value in a string of a JSON body cannot end the string', async () => {
  const peer = await startPeer()
  const name = 'Ada "the first", \\ and\nmore", "admin": true, "x": "'
  await call({ url: peer.url, method: 'POST', body: '{"name": "{{trigger.name}}"}' }, { name })
  await call({ url: peer.url, method: 'POST', body: '{"contact": {{trigger}}}' }, { name })
  assert.deepEqual(
    peer.asked.map(({ body }) => JSON.parse(body)),
    [{ name }, { contact: { name } }],
  )
})

test('a placeholder outside of strings becomes a JSON value, and leaves the strings beside it unchanged', async () => {
  const peer = await startPeer()
  const body =
    '{"name": "{{trigger.name}}", "total": {{trigger.total}}, "\\"{{trigger.name}}": {{trigger.name}}, "none": {{trigger.none}} }'
  const data = { name: 'a", "admin": "true', total: 5, none: null }
  outputOf(await call({ url: peer.url, method: 'POST', body }, data))
  const [{ headers, body: sent }] = peer.asked as [(typeof peer.asked)[0]]
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(sent), { name: data.name, total: 5, [`"${data.name}`]: data.name, none: null })
  outputOf(await call({ url: peer.url, method: 'POST', body: '{"total": {{trigger.total}}}' }))
  assert.deepEqual(
    [peer.asked[1]!.body, peer.asked[1]!.headers['content-type']],
    ['{"total": {{trigger.total}}}', 'text/plain; charset=utf-8'],
  )
})

test('a body that is one placeholder becomes its text without quotes, or the JSON of a list or an object', async () => {
  const peer = await startPeer()
  const data = { text: 'Say "hi"', list: [1, 'a'], object: { a: null }, number: 5 }
  for (const name of Object.keys(data)) await call({ url: peer.url, method: 'POST', body: `{{trigger.${name}}}` }, data)
  assert.deepEqual(
    peer.asked.map(({ body, headers }) => [body, headers['content-type']]),
    [
      ['Say "hi"', 'text/plain; charset=utf-8'],
      ['[1,"a"]', 'application/json'],
      ['{"a":null}', 'application/json'],
      ['5', 'application/json'],
    ],
  )
})

test('a value in a form stays one value, and a name one name', async () => {
  const peer = await startPeer()
  const headers = { 'content-TYPE': 'Application/X-WWW-Form-Urlencoded; charset=utf-8' }
  const body = 'name={{trigger.name}}&{{trigger.key}}=1&list={{trigger.list}}&n={{trigger.n}}&none={{trigger.none}}'
  const data = { name: 'x&admin=1&a=%26+b c\r\n☃', key: 'a=b&c', list: ['&'], n: 5, none: null }
  outputOf(await call({ url: peer.url, method: 'POST', body, headers }, data))
  assert.deepEqual(
    [...new URLSearchParams(peer.asked[0]!.body)],
    [
      ['name', data.name],
      ['a=b&c', '1'],
      ['list', '["&"]'],
      ['n', '5'],
      ['none', ''],
    ],
  )
  outputOf(await call({ url: peer.url, method: 'POST', body: '{{trigger.form}}', headers }, { form: 'a=1&b=2' }))
  assert.equal(peer.asked[1]!.body, 'a=1&b=2')
})

test('a value in XML is text, and cannot end a CDATA section', async () => {
  const peer = await startPeer()
  const body =
    '<o a="{{trigger.x}}" b=\'{{trigger.x}}\'>{{trigger.x}}<![CDATA[{{trigger.x}} {{trigger.end}}]]>{{trigger.end}}</o>'
  const data = { x: `</o><admin v="1'"/>&`, end: 'a]]><b>' }
  const text = '&lt;/o&gt;&lt;admin v=&quot;1&#39;&quot;/&gt;&amp;'
  for (const type of ['application/xml', 'text/xml; charset=utf-8', 'application/soap+xml;action="x"']) {
    outputOf(await call({ url: peer.url, method: 'POST', body, headers: { 'Content-Type': type } }, data))
    assert.equal(
      peer.asked.at(-1)!.body,
      `<o a="${text}" b='${text}'>${text}<![CDATA[${data.x} a]]]]><![CDATA[><b>]]>a]]&gt;&lt;b&gt;</o>`,
    )
  }
})

test('a value in lines of JSON cannot end its string', async () => {
  const peer = await startPeer()
  const headers = { 'Content-Type': 'application/x-ndjson' }
  const body = '{"name": "{{trigger.x}}"}\n{"n": {{trigger.x}}}'
  const x = 'a", "admin": true, "b": "\n'
  outputOf(await call({ url: peer.url, method: 'POST', body, headers }, { x }))
  assert.deepEqual(
    peer.asked[0]!.body.split('\n').map((line) => JSON.parse(line)),
    [{ name: x }, { n: x }],
  )
})

test('a value with the boundary of a multipart body fails the node, and nothing is sent', async () => {
  const peer = await startPeer()
  const headers = { 'Content-Type': 'multipart/form-data; boundary="cut here"' }
  const body = '--cut here\r\nContent-Disposition: form-data; name="a"\r\n\r\n{{trigger.x}}\r\n--cut here--'
  const config = { url: peer.url, method: 'POST', body, headers }
  outputOf(await call(config, { x: 'a--b' }))
  const x = 'a\r\n--cut here\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1'
  assert.match(errorOf(await call(config, { x })), /^body: must not hold the boundary/)
  assert.equal(peer.asked.length, 1)
})
