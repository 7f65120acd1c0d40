import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { join } from './join.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const navigationOf = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const widthOf = async (page: Page) => (await navigationOf(page).boundingBox())?.width

test('the navigation shows words from 1100 px, and glyphs with the same names from 768 px', async () => {
  const page = await posthorn.open('/app/suppressions')
  const place = navigationOf(page).getByRole('link', { name: 'Emails', exact: true })
  await page.setViewportSize({ width: 1100, height: 800 })
  await place.getByText('Emails').waitFor()
  assert.equal(await widthOf(page), 208)
  assert.equal(await place.getAttribute('title'), null)
  for (const width of [1099, 768]) {
    await page.setViewportSize({ width, height: 800 })
    await eventually(async () => assert.equal(await widthOf(page), 56))
    await eventually(async () => assert.equal(await place.getAttribute('title'), 'Emails'))
    await place.locator('svg').waitFor()
  }
  await checkAccessibility(page, [1024, 768])
  await place.click()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
})

test('every place has a glyph of its own in the narrow navigation', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const links = navigationOf(page).getByRole('link')
  const drawings = await links.evaluateAll((all) => all.map((link) => link.querySelector('path')?.getAttribute('d')))
  assert.ok(drawings.length > 20)
  assert.ok(drawings.every((drawing) => drawing))
  assert.equal(new Set(drawings).size, drawings.length)
})

test('the parts of a place are in the narrow navigation on its page and on theirs', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.setViewportSize({ width: 1024, height: 800 })
  const navigation = navigationOf(page)
  const senders = navigation.getByRole('link', { name: 'SMS senders' })
  await navigation.getByRole('link', { name: 'SMS', exact: true }).waitFor()
  await senders.waitFor({ state: 'detached' })
  await navigation.getByRole('link', { name: 'SMS', exact: true }).click()
  await senders.click()
  await page.getByRole('heading', { level: 1, name: 'SMS senders' }).waitFor()
  assert.deepEqual(await navigation.locator('[aria-current]').allInnerTexts(), ['SMS senders'])
  await navigation.getByRole('link', { name: 'SMS opt-outs' }).waitFor()
})

test('the narrow navigation shows its words while the keyboard is in it', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).focus()
  await page.keyboard.press('Tab')
  await eventually(async () => assert.equal(await widthOf(page), 208))
  await checkAccessibility(page, [1024])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await eventually(async () => assert.equal(await widthOf(page), 56))
})

/** Pages that only some roles may read or use, and the roles among these three that find them. */
const closed: Record<string, string[]> = {
  Billing: [],
  'Audit log': [],
  Privacy: [],
  'Request log': ['developer'],
  'Import contacts': ['marketer'],
}
/** Pages that the palette leads to beside those of the navigation. */
const closedActions: Record<string, string[]> = {
  Compose: ['developer'],
  'New broadcast': ['marketer'],
  'New template': ['marketer'],
}

for (const role of ['developer', 'marketer', 'viewer'] as const) {
  test(`a ${role} finds the pages of the role in the navigation, the palette and the list of keys, and no others`, async () => {
    const page = await join(posthorn, role)
    const navigation = navigationOf(page)
    await navigation.getByRole('link', { name: 'Members' }).waitFor()
    for (const [name, roles] of Object.entries(closed)) {
      assert.equal(await navigation.getByRole('link', { name }).count(), roles.includes(role) ? 1 : 0, name)
    }
    await page.keyboard.press('?')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await shortcuts.getByText('Settings').waitFor()
    assert.equal(await shortcuts.getByText('Billing').count(), 0)
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.getByRole('option', { name: 'Members' }).waitFor()
    for (const [name, roles] of Object.entries({ ...closed, ...closedActions })) {
      assert.equal(await palette.getByRole('option', { name }).count(), roles.includes(role) ? 1 : 0, name)
    }
    await checkAccessibility(page)
  })
}

test('an owner finds every page in the navigation and the palette', async () => {
  const page = await posthorn.open('/app')
  await navigationOf(page).getByRole('link', { name: 'Members' }).waitFor()
  for (const name of Object.keys(closed)) await navigationOf(page).getByRole('link', { name }).waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  for (const name of Object.keys({ ...closed, ...closedActions })) await palette.getByRole('option', { name }).waitFor()
})
