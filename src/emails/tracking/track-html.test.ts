import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import { createTestApp } from '../../../test/app.ts'
import { startDnsServer } from '../../../test/dns.ts'
import { startSubmission } from '../../smtp/submission/fixtures/start.ts'
import { base, send, sendTracked, sentHtml, trackingTeam } from './fixtures/tracked-mail.ts'

const posthorn = await createTestApp()

test('only the hits that the domain tracks are tracked, and bodies read back as written', async () => {
  const html = '<p><a href="https://shop.example/">Shop</a></p>'
  const plain = await trackingTeam(posthorn, { openTracking: false, clickTracking: false })
  assert.equal((await sendTracked(posthorn, plain, html)).sent, html)
  const opens = await sendTracked(posthorn, await trackingTeam(posthorn, { openTracking: true }), html)
  assert.ok(opens.sent.startsWith(html) && opens.pixel !== '')
  const team = await trackingTeam(posthorn, { clickTracking: true })
  const clicks = await sendTracked(posthorn, team, html, { text: 'https://shop.example/' })
  assert.match(clicks.sent, /^<p><a href="http:\/\/localhost:3000\/t\/c\/[\w-]+">Shop<\/a><\/p>$/)
  const { body } = await team.api.get(`/v1/emails/${clicks.id}`)
  assert.deepEqual([body.html, body.text], [html, 'https://shop.example/'])
})

test('scheduled mail is tracked too, with the image inside its body', async () => {
  const team = await trackingTeam(posthorn)
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const html = '<body><a href="https://shop.example/">Shop</a></body>'
  const id = await send(team, { html, scheduledAt })
  await posthorn.runDueJobsAfter(61_000)
  assert.match(await sentHtml(team, id), /^<body><a href="http:[^"]+">Shop<\/a><img src="[^"]+"[^>]*><\/body>$/)
})

test('links to anything but web pages, and unsubscribe links, are left unchanged', async () => {
  const team = await trackingTeam(posthorn, { clickTracking: true })
  const left = [
    'mailto:ada@example.com',
    'tel:+4930123456',
    'sms:+4930123456',
    '#top',
    '/relative',
    'javascript:alert(1)',
    'cid:logo',
    'ftp://files.example/',
    'https://{{host}}/',
    'https://shop.example/?name=*|NAME|*',
    'http://',
    'https://shop.example/<%= name %>',
    `${base}/unsubscribe?token=1`,
    'https://shop.example/preferences?do=Unsubscribe',
    `${base}/t/c/abc`,
    'https://lists.example/stop?u=1&amp;v=2',
    `https://shop.example/${'a'.repeat(1500)}`,
  ]
  const html = `${left.map((href) => `<a href="${href}">x</a>`).join('')}<a data-posthorn-track="off" href="https://shop.example">y</a>`
  const headers = { 'list-unsubscribe': '<https://lists.example/stop?u=1&v=2>, <mailto:stop@lists.example>' }
  assert.equal((await sendTracked(posthorn, team, html, { headers })).sent, html)
})

test('a message submitted complete is tracked too, except the unsubscribe link of its own header', async () => {
  const { posthorn: submitting, smtps } = await startSubmission()
  const team = await trackingTeam(submitting)
  const auth = { user: team.key, pass: team.key }
  const transport = createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
  const { response } = await transport.sendMail({
    from: `hello@${team.domain}`,
    to: 'ada@example.com',
    subject: 'Hello',
    html: '<p><a href="https://lists.example/stop">Stop</a> <a href="https://shop.example/">Shop</a></p>',
    headers: { 'List-Unsubscribe': '<https://lists.example/stop>' },
  })
  transport.close()
  const sent = await sentHtml(team, response.slice(-36))
  assert.match(sent, /^<p><a href="https:\/\/lists.example\/stop">Stop<\/a> <a href="http:\/\/localhost:3000\/t\/c\//)
  assert.match(sent, /<\/p>\n<img src="http:\/\/localhost:3000\/t\/o\//)
})

for (const [served, host] of [
  ['on', 'track.shop.dev'],
  ['off', 'mail.posthorn.dev'],
] as const) {
  test(`with TRACKING_SUBDOMAINS=${served} the links of a verified domain lead to ${host}`, async () => {
    const dns = await startDnsServer()
    const PUBLIC_URL = 'https://mail.posthorn.dev:8443/app'
    const app = await createTestApp({ DNS_SERVERS: dns.address, PUBLIC_URL, TRACKING_SUBDOMAINS: served })
    const team = await trackingTeam(app)
    const html = '<a href="https://shop.example/">Shop</a>'
    const basesOf = (sent: string) => [...sent.matchAll(/"(https:[^"]*)\/t\/[co]\//g)].map(([, base]) => base)
    const reserved = await sentHtml(team, await send(team, { html }))
    assert.deepEqual(basesOf(reserved), [PUBLIC_URL, PUBLIC_URL])

    const made = await team.api.post('/v1/domains', { name: 'shop.dev' })
    const settings = { clickTracking: true, openTracking: true }
    const { body: domain } = await team.api.patch(`/v1/domains/${made.body.id}`, settings)
    dns.publish(domain.records)
    const verified = await team.api.post(`/v1/domains/${domain.id}/verify`)
    assert.equal(verified.body.status, 'verified', verified.text)
    const own = await sentHtml(team, await send(team, { html, from: 'hello@shop.dev' }))
    assert.deepEqual(basesOf(own), [`https://${host}:8443/app`, `https://${host}:8443/app`])
  })
}

test('links lead to the opened port if PUBLIC_URL is not set', async () => {
  const local = await createTestApp({ PUBLIC_URL: '', PORT: '0' })
  const address = new URL(await local.server.listen({ port: 0, host: '127.0.0.1' }))
  const team = await trackingTeam(local)
  const sent = await sentHtml(team, await send(team, { html: '<a href="https://shop.example/">Shop</a>' }))
  const link = /href="([^"]*)"/.exec(sent)![1]!
  assert.equal(new URL(link).host, `localhost:${address.port}`)
})

test('HTML that takes a browser quadratic time takes us linear time, and very long HTML is not tracked', async () => {
  const team = await trackingTeam(posthorn)
  const reopened = `<p>${Array.from({ length: 5000 }, (_, at) => `<b x=${at}>`).join('')}</p>${'<p>x</p>'.repeat(50_000)}`
  const { sent, pixel } = await sendTracked(posthorn, team, `<a href="https://shop.example/">x</a>${reopened}`)
  assert.ok(sent.startsWith(`<a href="${base}/t/c/`) && pixel !== '')
  const long = `<a href="https://shop.example/">x</a>${'<p>x</p>'.repeat(70_000)}`
  assert.equal((await sendTracked(posthorn, team, long)).sent, long)
})
