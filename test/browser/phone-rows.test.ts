import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
let segmentId = ''

before(async () => {
  segmentId = (await posthorn.api('POST', '/v1/segments', { name: 'Readers' })).body.id
  const contact = (await posthorn.api('POST', '/v1/contacts', { email: 'ada@example.com', firstName: 'Ada' })).body.id
  await posthorn.api('POST', `/v1/segments/${segmentId}/contacts`, { contactIds: [contact] })
  await posthorn.api('POST', '/v1/suppressions', { email: 'ada@example.com' })
  const mail = { from: 'hello@sandbox.test', to: ['bea@example.com'], subject: 'Hello', html: '<p>Hi', text: 'Hi' }
  const attachments = [{ filename: 'terms.txt', content: Buffer.from('terms').toString('base64') }]
  await posthorn.api('POST', '/v1/emails', { ...mail, attachments })
})

async function openOnPhone(path: string): Promise<Page> {
  const page = await posthorn.openSignedOut(`/app/sign-in?next=${path}`, phone)
  await page.getByLabel('Email').fill(posthorn.account.email)
  await page.getByLabel('Password').fill(posthorn.account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Menu', exact: true }).waitFor()
  return page
}

test('on a phone, a row holds its two lines and its buttons of 44 px', async () => {
  const page = await openOnPhone('/api-keys')
  const paths = ['/api-keys', '/settings/audit', '/settings/members', '/settings/security', '/suppressions']
  for (const path of [...paths, `/segments/${segmentId}`]) {
    await page.goto(`${posthorn.url}/app${path}`)
    const row = page.locator('.table-body .table-row').filter({ has: page.locator('.button') })
    await row.first().waitFor()
    const outside = await row.first().evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return [...element.querySelectorAll('.button, .cell')]
        .map((one) => ({ text: one.textContent, at: one.getBoundingClientRect() }))
        .filter(({ at }) => at.height > 0 && (at.top < top || at.bottom > bottom - 1))
        .map(({ text, at }) => `${text}: ${at.top - top} to ${at.bottom - bottom}`)
    })
    assert.deepEqual(outside, [], path)
  }
})

test('on a phone, all tabs of a message are in sight', async () => {
  const page = await openOnPhone('/inbox')
  await page.getByRole('list', { name: 'Messages' }).getByRole('link', { name: /Hello/ }).click()
  const tab = page.getByRole('tab', { name: 'Attachments' })
  await tab.waitFor()
  const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {}
  assert.ok(x + width <= 390 - 8, `Attachments ends at ${x + width} px`)
})

test('on a phone, a name of one long word makes neither a page nor a question wider than the screen', async () => {
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'W'.repeat(100) })).body
  const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
  const domain = (await posthorn.api('POST', '/v1/domains', { name })).body.id
  const page = await openOnPhone(`/domains/${domain}`)
  await page.getByRole('table', { name: 'DNS records' }).waitFor()
  const outside = (selector: string) =>
    page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  assert.equal(await outside('main'), 0)
  await page.goto(`${posthorn.url}/app/segments/${id}`)
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
  assert.equal(await outside('dialog[open]'), 0)
})

test('on a phone, the filters that are used less stay open when the last of them is cleared', async () => {
  const page = await openOnPhone('/settings/audit')
  await page.getByText('More filters', { exact: true }).click()
  const action = page.getByLabel('Action', { exact: true })
  await action.fill('domain.deleted')
  await action.press('Enter')
  await page.getByText('No change matches').waitFor()
  await action.fill('')
  await action.press('Enter')
  await page.locator('.table-body .table-row').first().waitFor()
  assert.ok(await action.isVisible())
})
