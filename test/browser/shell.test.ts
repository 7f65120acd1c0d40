import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { keyboardOf } from './keyboard.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('the frame has its landmarks, and a link to the content first', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  assert.equal(await page.title(), 'Suppressions · Posthorn')
  await page.getByRole('banner').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
  await checkAccessibility(page)
})

test('keys lead to pages, to the search and to the list of keys', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.waitFor()
  await page.keyboard.press('Escape')
  await shortcuts.waitFor({ state: 'detached' })
  await keyboardOf(page).go('e')
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('nothing like this')
  await page.getByText('No email matches').waitFor()
  assert.match(page.url(), /search=nothing/)
})

test('the account menu chooses the colours and keeps the choice', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.reload()
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
})

test('below 768 px the navigation is behind a button', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.setViewportSize({ width: 390, height: 800 })
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  await menu.waitFor()
  await navigation.waitFor({ state: 'hidden' })
  await menu.click()
  await navigation.getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  await navigation.waitFor({ state: 'hidden' })
})

test('below 768 px the navigation closes on the way to the page that is shown too, and the keyboard is in the page', async () => {
  const page = await posthorn.open('/app/suppressions?search=nobody')
  await page.setViewportSize({ width: 390, height: 800 })
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  const shown = page.getByRole('heading', { level: 1, name: 'Suppressions' })
  const choose = async () => {
    await menu.click()
    await shown.waitFor({ state: 'hidden' })
    await navigation.getByRole('link', { name: 'Suppressions' }).click()
    await shown.waitFor()
  }
  await choose()
  await page.waitForURL(/suppressions$/)
  await menu.click()
  await shown.waitFor({ state: 'hidden' })
  await page.goBack()
  await page.waitForURL(/search=nobody$/)
  await shown.waitFor()
  await choose()
  await choose()
  const main = page.getByRole('main')
  await eventually(async () => assert.ok(await main.evaluate((element) => element === document.activeElement)))
})

test('below 768 px the navigation stays while a search that was typed before comes into the address', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByLabel('Search suppressions').fill('nobody')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.waitForURL(/search=nobody/)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
})

test('a suppression is added, found and removed after a question', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('button', { name: 'Add suppression' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add suppression' })
  posthorn.mayLog(/status of 400/)
  await dialog.getByLabel('Email').fill('nobody')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Email').fill('eve@example.com')
  await dialog.getByRole('button', { name: 'Add' }).click()
  const table = page.getByRole('table', { name: 'Suppressions' })
  await table.getByRole('cell', { name: 'eve@example.com', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove eve@example.com' }).click()
  const question = page.getByRole('dialog', { name: 'Remove eve@example.com?' })
  await question.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Remove eve@example.com' }).click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No suppressions yet').waitFor()
})
