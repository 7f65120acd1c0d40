import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSendgridApp, helloFrom, refused, sent } from './fixtures/client.ts'

const { posthorn, client, url } = await createSendgridApp()

async function setUp(limits = {}) {
  const team = await posthorn.team({ limits })
  return { team, sendgrid: client(team.key), hello: helloFrom(team) }
}

test('keys are refused as SendGrid refuses them', async () => {
  const { hello } = await setUp()
  const [status, field, message] = await refused(client(`ph_${'0'.repeat(40)}`), hello)
  assert.deepEqual([status, field], [401, null])
  assert.match(message, /API key/)
  const answer = await fetch(`${url}/v3/mail/send`, { method: 'POST', body: '{}' })
  const body = (await answer.json()) as { errors: object[] }
  assert.equal(answer.status, 401)
  assert.deepEqual(Object.keys(body), ['errors'])
  assert.deepEqual(Object.keys(body.errors[0]!), ['message', 'field', 'help'])
})

test('what is missing or bad in an email is named as SendGrid names it', async () => {
  const { sendgrid, hello, team } = await setUp()
  await team.api.post('/v1/suppressions', { email: 'gone@example.com' })
  const template = `d-${'0'.repeat(32)}`
  const two = (second: object) => ({ ...hello, to: undefined, personalizations: [{ to: 'a@example.com' }, second] })
  const cases: [object, [number, string | null, RegExp]][] = [
    [{ ...hello, subject: undefined }, [400, 'subject', /is required/]],
    [{ ...hello, text: undefined }, [400, 'content', /is required/]],
    [{ ...hello, to: 'nonsense' }, [400, 'personalizations.0.to.0', /must be one address/]],
    [two({ to: 'nonsense' }), [400, 'personalizations.1.to.0', /must be one address/]],
    [two({ to: 'gone@example.com' }), [400, 'personalizations.1.to', /gone@example\.com/]],
    [{ ...hello, from: 'a@nobodys.test' }, [403, 'from', /not a verified domain/]],
    [{ ...hello, templateId: template }, [400, 'template_id', /Publish it/]],
    [{ ...hello, templateId: template, subject: undefined }, [400, 'subject', /templates of Posthorn have no subject/]],
    [
      { ...hello, templateId: template, dynamicTemplateData: { rows: [1] } },
      [400, 'personalizations.0.dynamic_template_data.rows', /no loops/],
    ],
    [{ ...hello, sendAt: 1 }, [400, 'send_at', /future/]],
    [{ ...hello, headers: { 'X-SMTPAPI': '{}' } }, [400, 'headers.X-SMTPAPI', /orders/]],
    [{ ...hello, attachments: [{ content: 'not base64!', filename: 'a' }] }, [400, 'attachments.0.content', /base64/]],
    [
      { ...hello, attachments: [{ content: 'aGk=', filename: 'a', type: 'nonsense' }] },
      [400, 'attachments.0.type', /media type/],
    ],
    [
      { ...hello, attachments: [{ content: 'aGk=', filename: 'a', disposition: 'inline' }] },
      [400, 'attachments.0.content_id', /required/],
    ],
  ]
  for (const [email, [status, field, message]] of cases) {
    const error = await refused(sendgrid, email)
    assert.deepEqual(error.slice(0, 2), [status, field], JSON.stringify(error))
    assert.match(error[2], message)
  }
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})

test('what Posthorn does not have is refused with what to use instead', async () => {
  const { sendgrid, hello } = await setUp()
  const cases: [object, string][] = [
    [{ asm: { groupId: 1 } }, 'asm'],
    [{ batchId: 'x' }, 'batch_id'],
    [{ ipPoolName: 'x' }, 'ip_pool_name'],
    [{ sections: { '-a-': 'x' } }, 'sections'],
    [{ mailSettings: { footer: { enable: true, text: 'x' } } }, 'mail_settings.footer'],
    [{ mailSettings: { bypassListManagement: { enable: true } } }, 'mail_settings.bypass_list_management'],
    [{ trackingSettings: { ganalytics: { enable: true } } }, 'tracking_settings.ganalytics'],
  ]
  for (const [change, field] of cases) {
    const [status, named, message] = await refused(sendgrid, { ...hello, ...change })
    assert.deepEqual([status, named], [400, field])
    assert.match(message, /is not there: \w+/)
  }
  const off = { footer: { enable: false }, sandboxMode: { enable: false } }
  assert.equal((await sent(sendgrid, { ...hello, mailSettings: off })).status, 202)
})

test('an email that asks not to be tracked is refused if its domain tracks', async () => {
  const { sendgrid, hello, team } = await setUp()
  const trackingSettings = { clickTracking: { enable: false }, openTracking: { enable: false } }
  assert.equal((await sent(sendgrid, { ...hello, trackingSettings })).status, 202)
  await team.api.patch(`/v1/domains/${team.domainId}`, { openTracking: true })
  const [status, field, message] = await refused(sendgrid, { ...hello, trackingSettings })
  assert.deepEqual([status, field], [400, 'tracking_settings.open_tracking'])
  assert.match(message, /PATCH \/v1\/domains/)
})

test('limits are refused with 429 and the time to wait', async () => {
  const { sendgrid, hello } = await setUp({ dailyEmailLimit: 1 })
  await sent(sendgrid, hello)
  assert.equal((await refused(sendgrid, hello))[0], 429)
  const few = await setUp({ apiRequestsPerMinute: 1 })
  await sent(few.sendgrid, few.hello)
  const [status, field] = await refused(few.sendgrid, few.hello)
  assert.deepEqual([status, field], [429, null])
})

test('paths, methods, broken JSON and bodies that are too large are refused in the same form', async () => {
  const { team } = await setUp()
  const cases: [string, string, string | null, number][] = [
    ['GET', '/v3/mail/send', null, 405],
    ['GET', '/v3/nonsense', null, 404],
    ['GET', '/v3/templates', null, 501],
    ['POST', '/v3/marketing/contacts', '{}', 501],
    ['POST', '/v3/mail/send', '{"from":', 400],
    ['POST', '/v3/mail/send', '[]', 400],
    ['POST', '/v3/mail/send', `{"from": "${'x'.repeat(41 * 1024 * 1024)}"}`, 413],
  ]
  for (const [method, path, body, status] of cases) {
    const headers = { authorization: `Bearer ${team.key}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url}${path}`, { method, headers, body })
    const { errors } = (await answer.json()) as { errors: { message: string; help: null }[] }
    assert.deepEqual([answer.status, errors[0]?.help], [status, null], path)
    assert.ok(errors[0]!.message.length > 10)
  }
})
