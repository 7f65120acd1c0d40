import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
/** Four pages of 100 rows. */
const rowsMany = 400

before(async () => {
  const contacts = Array.from({ length: rowsMany }, (_, index) => ({
    email: `reader${String(index).padStart(3, '0')}@example.com`,
  }))
  const { status, body } = await posthorn.api('POST', '/v1/contacts/import', { contacts })
  assert.ok(status < 300, JSON.stringify(body))
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const topOf = (page: Page) => page.getByRole('main').evaluate((main) => main.scrollTop)

/**
 * Scrolls the list until a row is in sight whose pages had to be loaded. Only rows near the window are in the document.
 */
async function scrollTo(page: Page, email: string) {
  const link = page.getByRole('link', { name: email })
  await eventually(async () => {
    await page.getByRole('main').evaluate(async (main) => {
      main.scrollBy(0, main.clientHeight / 2)
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    })
    assert.ok((await link.count()) > 0)
  })
  await link.scrollIntoViewIfNeeded()
  return link
}

async function hasReturned(page: Page, email: string, top: number) {
  await heading(page, 'Contacts')
  const link = page.getByRole('link', { name: email })
  await eventually(async () => {
    assert.ok(Math.abs((await topOf(page)) - top) <= 1, `scrolled to ${await topOf(page)} in place of ${top}`)
    assert.ok(await link.evaluate((element) => element === document.activeElement), 'the followed link has the focus')
  })
}

test('Back leads to where a list of several pages was left, and to the link that was followed; Forward too', async () => {
  const page = await posthorn.open('/app/contacts')
  // The newest are first.
  const link = await scrollTo(page, 'reader050@example.com')
  const top = await topOf(page)
  assert.ok(top > 8000, `${top}`)
  await link.click()
  await heading(page, 'reader050@example.com')
  await eventually(async () => assert.equal(await topOf(page), 0))
  await page.goBack()
  await hasReturned(page, 'reader050@example.com', top)
  await page.keyboard.press('Enter')
  await heading(page, 'reader050@example.com')
  await page.goBack()
  await hasReturned(page, 'reader050@example.com', top)
  await page.goForward()
  await heading(page, 'reader050@example.com')
})

test('Back loads the pages of a list again that have been forgotten meanwhile', async () => {
  const page = await posthorn.open('/app/contacts')
  const link = await scrollTo(page, 'reader020@example.com')
  const top = await topOf(page)
  await link.click()
  await heading(page, 'reader020@example.com')
  // A change by somebody else: of lists that are not shown, only the first pages are kept.
  const changed = page.waitForResponse(/\/v1\/contacts\/[^/]+$/)
  const { body } = await posthorn.api('GET', '/v1/contacts?search=reader020')
  await posthorn.api('PATCH', `/v1/contacts/${body.data[0].id}`, { firstName: 'Rea' })
  await changed
  await page.goBack()
  await hasReturned(page, 'reader020@example.com', top)
})

test('a page that is opened by a link begins at its top, also where it was left further down before', async () => {
  const page = await posthorn.open('/app/contacts')
  await scrollTo(page, 'reader300@example.com')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Segments' }).click()
  await heading(page, 'Segments')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts', exact: true }).click()
  await heading(page, 'Contacts')
  assert.equal(await topOf(page), 0)
})

for (const { noun, leave } of [
  { noun: 'segments', leave: 'Remove' },
  { noun: 'topics', leave: 'Opt out' },
])
  test(`a contact that is taken out of one of the ${noun} by a person or a program goes from its list, also far down`, async () => {
    const { id } = (await posthorn.api('POST', `/v1/${noun}`, { name: 'Readers' })).body
    let byProgram = ''
    for (const search of ['reader2', 'reader3']) {
      const { data } = (await posthorn.api('GET', `/v1/contacts?limit=100&search=${search}`)).body
      const contactIds = data.map((one: { id: string }) => one.id)
      byProgram ||= data.find((one: { email: string }) => one.email === 'reader231@example.com').id
      const { status, body } = await posthorn.api('POST', `/v1/${noun}/${id}/contacts`, { contactIds })
      assert.ok(status < 300, JSON.stringify(body))
    }
    const page = await posthorn.open(`/app/${noun}/${id}`)
    const email = 'reader230@example.com'
    const link = await scrollTo(page, email)
    await page.getByRole('button', { name: `${leave} ${email}` }).click()
    const question = page.getByRole('dialog', { name: `${leave} ${email}?` })
    await question.getByRole('button', { name: leave, exact: true }).click()
    await question.waitFor({ state: 'detached' })
    await link.waitFor({ state: 'detached' })
    const other = page.getByRole('link', { name: 'reader231@example.com' })
    await other.waitFor()
    await posthorn.api('DELETE', `/v1/${noun}/${id}/contacts/${byProgram}`)
    await other.waitFor({ state: 'detached' })
    assert.ok((await topOf(page)) > 0, 'the list stays where it was scrolled to')
  })
