import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { outputOf, runChain } from '../fixtures/workflow.ts'

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
