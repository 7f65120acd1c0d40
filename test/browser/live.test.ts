import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function send(subject: string) {
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject, text: 'Hello' }
  assert.equal((await posthorn.api('POST', '/v1/emails', email)).status, 200)
}

test('an email that arrives is shown without a reload in eight tabs, which share one stream', async () => {
  const first = await posthorn.open('/app/inbox')
  // The stream of this page may not have been asked for yet, and would be counted.
  await first.goto('about:blank')
  const streams: Page[] = []
  first.context().on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/live') streams.push(request.frame().page())
  })
  await first.goto(`${posthorn.url}/app/inbox`)
  const tabs = [first]
  while (tabs.length < 8) tabs.push(await posthorn.open('/app/inbox'))
  for (const tab of tabs) await tab.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await send('Hello to all tabs')
  for (const tab of tabs) {
    await tab.bringToFront()
    await tab.getByRole('link', { name: /Hello to all tabs/ }).waitFor()
  }
  assert.equal(streams.length, 1)

  // The tab that holds the stream is closed, and another takes over.
  const holder = streams[0]!
  await holder.close()
  const others = tabs.filter((tab) => tab !== holder)
  await eventually(() => assert.equal(streams.length, 2))
  await send('Hello to the others')
  for (const tab of others) {
    await tab.bringToFront()
    await tab.getByRole('link', { name: /Hello to the others/ }).waitFor()
  }
  assert.equal(streams.length, 2)
  assert.ok(others.includes(streams[1]!))
})

test('a list of hundreds follows what is added, and keeps few rows in the page', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  for (let count = 0; count < 250; count++) {
    await posthorn.api('POST', '/v1/suppressions', { email: `number-${count}@example.com` })
  }
  const table = page.getByRole('table', { name: 'Suppressions' })
  await table.getByText('number-249@example.com').waitFor()
  await eventually(async () => {
    await page.evaluate("document.querySelector('main').scrollTo(0, 1e6)")
    assert.ok(await table.getByText('number-0@example.com').isVisible())
  })
  assert.ok((await table.getByRole('row').count()) < 60)
})
