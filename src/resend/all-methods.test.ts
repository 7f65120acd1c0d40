import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resend } from 'resend'
import { createResendApp } from './fixtures/client.ts'

const { posthorn, client } = await createResendApp()
const team = await posthorn.team({ limits: { apiRequestsPerMinute: 100_000 } })
const id = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Methods that make no request of their own. */
const local = ['webhooks.verify']

/** What every method gets: an id where it takes one, and fields that name whatever it needs. */
const anything = {
  ...{
    id,
    email: 'ada@example.com',
    webhookId: id,
    eventId: id,
    contactId: id,
    segmentId: id,
    emailId: id,
    domainId: id,
  },
  ...{
    automationId: id,
    runId: id,
    inboxId: id,
    threadId: id,
    draftId: id,
    messageId: id,
    attachmentId: id,
    labelId: id,
  },
  ...{ name: 'x', type: 'delivered', steps: [], connections: [], file: new Blob(['email\n']), event: 'x', key: 'x' },
}
const listed = Object.assign([], anything)
/** Methods whose first argument is an id or a list. */
const arguments_ = [id, anything, listed]

type Called = { method: string; path: string }

/** Calls a method with each kind of argument until it makes a request. */
async function requestOf(resend: Resend, call: (given: unknown) => Promise<unknown>): Promise<Called[]> {
  const made: Called[] = []
  const spied = resend as unknown as { fetchRequest(path: string, init: RequestInit): Promise<unknown> }
  spied.fetchRequest = async (path, { method }) => {
    made.push({ method: method!, path: path.split('?')[0]! })
    return { data: null, error: { name: 'x', message: '', statusCode: null }, headers: null }
  }
  for (const given of arguments_) {
    try {
      await call(given)
    } catch {
      // It takes another kind of argument.
    }
  }
  return made.filter(({ path }) => !/undefined|\[object|,/.test(path))
}

/** All methods of the client's objects, by their dotted names. */
function methodsOf(
  target: object,
  name: string,
  seen = new Set<object>(),
): [string, (given: unknown) => Promise<unknown>][] {
  if (seen.has(target)) return []
  seen.add(target)
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(target)).flatMap((method) => {
    const value = (target as Record<string, unknown>)[method]
    const isPublic = typeof value === 'function' && method !== 'constructor' && !helpers.test(method)
    const call = (given: unknown) => (value as (...all: unknown[]) => Promise<unknown>).call(target, given, {}, {})
    return isPublic ? [[`${name}.${method}`, call] as [string, typeof call]] : []
  })
  const inner = Object.entries(target).filter(([key, value]) => typeof value === 'object' && value && key !== 'resend')
  return [...own, ...inner.flatMap(([key, value]) => methodsOf(value as object, `${name}.${key}`, seen))]
}
/** Private parts of the client. */
const helpers = /^(perform|build|append|forward[A-Z]|downloadRaw|fetch|log)/

const resend = client(team.key)
const nouns = Object.entries(resend).filter(([, value]) => typeof value === 'object' && !(value instanceof Headers))
const methods = nouns.flatMap(([noun, target]) => (noun === 'audiences' ? [] : methodsOf(target as object, noun)))
const served: string[] = []

test('every method of Resend’s client is served, or answers 501 with what to use instead', async () => {
  for (const [name, call] of methods) {
    if (local.includes(name)) {
      served.push(name)
      continue
    }
    const requests = await requestOf(resend, call)
    assert.ok(requests.length > 0, `${name} makes no request with the arguments above`)
    const { method, path } = requests[0]!
    const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
    const body = method === 'GET' || method === 'DELETE' ? {} : { payload: '{"nonsense":1}' }
    const answer = await posthorn.server.inject({ method: method as 'GET', url: `/resend${path}`, headers, ...body })
    const { name: error, message } = answer.json()
    assert.notEqual(answer.statusCode, 405, `${name}: ${method} ${path}`)
    if (answer.statusCode === 501) {
      assert.equal(error, 'application_error')
      assert.match(message, /^Posthorn has no .*\. [A-Z].*\.$/, name)
      continue
    }
    assert.ok(answer.statusCode < 500, `${name}: ${answer.body}`)
    const isThere = answer.statusCode !== 404 || !String(message).startsWith('There is nothing at')
    assert.ok(isThere, `${name}: ${method} ${path} is neither served nor 501`)
    served.push(name)
  }
})

test('seventy of its 141 methods are served', () => {
  assert.deepEqual([served.length, methods.length], [70, 141])
})
