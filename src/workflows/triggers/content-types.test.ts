import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { activate } from './fixtures/active.ts'

const posthorn = await createTestApp()
const workflow = await activate(await posthorn.team(), { type: 'webhook_received' })

const post = (type: string, body: string) =>
  posthorn.anyone.post(`/v1/workflows/triggers/${workflow.body.triggerKey}`, body, { 'content-type': type })

/** Posts a body, and returns what the trigger has of it. */
async function received(type: string, body: string) {
  const { status, text } = await post(type, body)
  assert.equal(status, 200, text)
  return (await workflow.triggerData()).at(-1).body
}

const form = 'application/x-www-form-urlencoded'

test('JSON of every type starts an execution', async () => {
  for (const type of [
    'application/cloudevents+json',
    'application/vnd.shop.order-v2+JSON; charset=UTF-8',
    'application/problem+json;profile="a/b"',
    'application/cloudevents-batch+json',
  ]) {
    assert.deepEqual(await received(type, '{"type":"order.paid","data":[1]}'), { type: 'order.paid', data: [1] })
  }
})

test('a form is an object of texts, and a repeated name a list', async () => {
  const body =
    'name=Ada+Lovelace&tag=a&n=8202522731445525542&tag=b%26c&empty=&bare&%F0%9F%98%80=%E2%98%83&tag=&a%5B%5D=1'
  assert.deepEqual(await received(form, body), {
    ...{ name: 'Ada Lovelace', tag: ['a', 'b&c', ''], n: '8202522731445525542', empty: '', bare: '' },
    ...{ '\u{1f600}': '☃', 'a[]': '1' },
  })
  assert.deepEqual(await received(`${form}; charset=utf-8`, 'a=100%25 off&b=100%&c=%EF%BF%BD'), {
    ...{ a: '100% off', b: '100%', c: '\ufffd' },
  })
  assert.deepEqual(await received(form, ''), {})
})

test('names of inherited members are names like others', async () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
  const body = names.map((name) => `${name}=1`).join('&')
  assert.deepEqual(await received(form, body), Object.fromEntries(names.map((name) => [name, '1'])))
})

test('a form that cannot be kept is refused, and starts nothing', async () => {
  const before = (await workflow.executions()).length
  for (const [body, message] of [
    ['__proto__=1', /a field whose name is not a name that can be used/],
    ['a=1&__proto__=1&__proto__=2', /is not a name that can be used/],
    ['a=%00', /^a: must not hold the NUL character/],
    ['a%00=1', /a field whose name must not hold the NUL character/],
    ['city=Z%FCrich', /^city: is not percent-encoded UTF-8/],
    ['a&'.repeat(10_000), /has too many fields: at most 10000/],
  ] as const) {
    const answer = await post(form, body)
    assert.equal(answer.status, 400, answer.text)
    assert.match(
      answer.body.errors?.map(({ path, message }: never) => `${path}: ${message}`)[0] ?? answer.body.message,
      message,
    )
  }
  assert.equal((await post(`${form}; charset=iso-8859-1`, 'a=1')).status, 415)
  assert.equal((await workflow.executions()).length, before)
})
