import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { createTestApp } from '../../test/app.ts'
import { hostile, nearlyValid, valid } from '../../test/from-schema.ts'
import type { Route } from '../platform/http/route.ts'
import { sendgridRoutes } from '../sendgrid/routes.ts'
import { Message } from './message.ts'
import { postmarkRoutes } from './routes.ts'

const requestsPerRoute = 200

// A port without a server, so that no look-up leaves this machine.
const posthorn = await createTestApp({ DNS_SERVERS: '127.0.0.1:9' })
const { key, domain } = await posthorn.team({ limits: { apiRequestsPerMinute: 1_000_000, dailyEmailLimit: 1_000_000 } })
const headers = {
  ...{ authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
  'content-type': 'application/json',
}

function bodyOf({ body, path }: Route) {
  const given = path.endsWith('/batch')
    ? fc.array(valid(Message as TSchema), { minLength: 1, maxLength: 5 })
    : valid(body!)
  return fc
    .oneof({ weight: 5, arbitrary: given }, { weight: 4, arbitrary: nearlyValid(body!) }, hostile)
    .map((value) => JSON.stringify(value).replaceAll('@example.com', `@${domain}`))
}

/** The fields of a refusal, in the form of the API that the path is of. */
function formOf(url: string, refusal: object): string[] {
  return url.startsWith('/sendgrid/') ? Object.keys((refusal as { errors: object[] }).errors[0]!) : Object.keys(refusal)
}

for (const route of [...sendgridRoutes, ...postmarkRoutes]) {
  const { method, path: url } = route
  const form = url.startsWith('/sendgrid/') ? ['message', 'field', 'help'] : ['ErrorCode', 'Message']
  test(`${method} ${url} answers every request, and refuses in the form of its API`, async () => {
    await fc.assert(
      fc.asyncProperty(bodyOf(route), async (payload) => {
        posthorn.clock.advance(197)
        const { statusCode, body } = await posthorn.server.inject({ method, url, headers, payload })
        assert.ok(statusCode < 500, `${statusCode}: ${body}`)
        if (statusCode >= 400) assert.deepEqual(formOf(url, JSON.parse(body)), form)
        else if (url.endsWith('/batch')) assert.ok(!body.includes('"ErrorCode":500'), body)
      }),
      { numRuns: requestsPerRoute, endOnFailure: true },
    )
  })
}

test('data of a template may hold numbers of any size', async () => {
  const template = await posthorn.as(key).post('/v1/templates', { name: 'x', html: '{{a.b}}' })
  await posthorn.as(key).patch(`/v1/templates/${template.body.id}`, { status: 'published' })
  const to = '[{"email":"ada@example.com"}]'
  const data = '{"a":{"b":123456789012345678901234567890}}'
  const payload = `{"personalizations":[{"to":${to},"dynamic_template_data":${data}}],"from":{"email":"a@${domain}"},
    "subject":"x","template_id":"${template.body.id}"}`
  const answer = await posthorn.server.inject({ method: 'POST', url: '/sendgrid/v3/mail/send', headers, payload })
  assert.equal(answer.statusCode, 202, answer.body)
  const email = await posthorn.as(key).get(`/v1/emails/${answer.headers['x-message-id']}`)
  assert.equal(email.body.html, '123456789012345678901234567890')
})
