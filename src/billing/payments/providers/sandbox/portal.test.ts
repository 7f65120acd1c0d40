import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../../test/app.ts'
import { subscriptionOf } from '../../fixtures/buyers.ts'
import { buyer, checkoutOf, formType, portalOf, press } from './fixtures/browser.ts'

const posthorn = await createTestApp()
await posthorn.server.listen({ port: 0, host: '127.0.0.1' })

test('in the portal a subscription is cancelled, kept, changed and ended', async () => {
  const { team, read } = await buyer(posthorn, 'pro')
  const open = async () => posthorn.anyone.get(await portalOf(team))
  let page = await press(posthorn, await open(), 'Cancel at the end')
  assert.equal((await read()).cancelAtPeriodEnd, true)
  assert.match(page.text, /ends on 15 July 2030/)
  page = await press(posthorn, page, 'Keep the subscription')
  assert.equal((await read()).cancelAtPeriodEnd, false)
  page = await press(posthorn, page, 'Change the plan')
  assert.equal((await read()).plan, 'scale')
  assert.equal((await read()).smsCreditCentsRemaining, 200)
  page = await press(posthorn, page, 'Start the next period')
  assert.equal((await read()).smsCreditCentsRemaining, 200)
  posthorn.clock.advance(5000)
  page = await press(posthorn, await open(), 'Start the next period')
  assert.equal((await read()).smsCreditCentsRemaining, 2000)
  assert.equal((await read()).currentPeriodStart, '2030-06-15T12:00:05.000Z')
  page = await press(posthorn, page, 'End the subscription now')
  assert.match(page.text, /There is no subscription/)
  assert.deepEqual(
    [(await read()).plan, (await read()).smsCreditCentsRemaining, (await read()).providerSubscriptionId],
    ['free', 0, null],
  )
})

test('a page that was left open neither starts a second period nor changes a later subscription', async () => {
  const { team, read } = await buyer(posthorn, 'pro')
  const page = await posthorn.anyone.get(await portalOf(team))
  posthorn.clock.advance(1000)
  await press(posthorn, page, 'Start the next period')
  const { currentPeriodStart } = await read()
  posthorn.clock.advance(1000)
  await press(posthorn, page, 'Start the next period')
  assert.equal((await read()).currentPeriodStart, currentPeriodStart)
  await press(posthorn, await posthorn.anyone.get(await checkoutOf(team, 'scale')), 'Pay')
  await press(posthorn, page, 'End the subscription now')
  assert.equal((await read()).plan, 'scale')
})

test('the portal shows the reported overage, each message once, and leads back', async () => {
  const { team } = await buyer(posthorn, 'pro')
  const usage = { teamId: team.id, customerId: 'cus_1', at: posthorn.clock.now() }
  const ids = [posthorn.app.newId(), posthorn.app.newId()]
  for (const messageId of [...ids, ...ids])
    await posthorn.app.payments.reportUsage({ ...usage, messageId, eventName: 'sms_zone2_send' })
  const path = await portalOf(team, { returnUrl: 'https://shop.test/billing?a=1&b="x"' })
  const { text } = await posthorn.anyone.get(path)
  assert.match(text, /Zone 2: 2 SMS<\/th><td>\$0\.16/)
  assert.match(text, /Zone 1: 0 SMS/)
  assert.ok(text.includes('href="https://shop.test/billing?a=1&amp;b=%22x%22"'), text)
})

test('the portal leads back to the settings by default, and only to http and https addresses', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const { text } = await posthorn.anyone.get(await portalOf(team))
  assert.match(text, /There is no subscription/)
  assert.ok(text.includes('href="http://localhost:3000/app/settings"'))
  for (const returnUrl of [
    'javascript:alert(1)',
    '/settings',
    'ftp://shop.test',
    '',
    5,
    `https://shop.test/${'x'.repeat(2000)}`,
  ])
    assert.equal((await team.api.post('/v1/billing/portal', { returnUrl })).status, 400, String(returnUrl))
})

test('a return address is bounded in the form that links carry, and every accepted one opens', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const long = await team.api.post('/v1/billing/portal', { returnUrl: `https://shop.test/${'é'.repeat(1500)}` })
  assert.deepEqual([long.status, long.body.errors[0].path], [400, 'returnUrl'])
  assert.match(long.body.message, /at most 2000 characters long once it is written in ASCII/)
  const widest = `https://shop.test/?${'\\'.repeat(2000 - 'https://shop.test/?'.length)}`
  assert.equal((await posthorn.anyone.get(await portalOf(team, { returnUrl: widest }))).status, 200)
})

test('links that are changed, old or for the other page are refused', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const [checkout, portal] = [await checkoutOf(team, 'pro'), await portalOf(team)]
  const swapped = checkout.replace('checkout', 'portal')
  const bad = [
    checkout.slice(0, -4),
    checkout.replace('token=e', 'token=f'),
    swapped,
    portal.replace('portal', 'checkout'),
    '/billing/sandbox/checkout?token=x',
  ]
  for (const path of bad) {
    assert.equal((await posthorn.anyone.get(path)).status, 404, path)
    const form = path.includes('portal') ? 'action=end' : ''
    assert.equal((await posthorn.anyone.post(path, form, formType)).status, 404, path)
  }
  posthorn.clock.advance(31 * 60_000)
  assert.equal((await posthorn.anyone.get(portal)).status, 404)
  assert.equal((await posthorn.anyone.get(checkout)).status, 200)
  posthorn.clock.advance(24 * 3_600_000)
  const late = await posthorn.anyone.post(checkout, '', formType)
  assert.equal(late.status, 404)
  assert.match(late.text, /request a new one/)
  assert.equal((await subscriptionOf(team)).plan, 'free')
})

test('the pages run no script, load nothing from other servers and cannot be framed', async () => {
  const team = await posthorn.team({ plan: 'free' })
  for (const path of [await checkoutOf(team, 'pro'), await portalOf(team)]) {
    const { headers, text } = await posthorn.anyone.get(path)
    const policy = headers['content-security-policy']!
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|script-src/)
    assert.doesNotMatch(text, /<script| style="| onclick/)
    assert.match(text, /<html lang="en">/)
    assert.match(text, /name="viewport"/)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
  }
})
