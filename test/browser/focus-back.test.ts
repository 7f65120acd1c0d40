import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { keyboardOf } from './keyboard.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function hasFocus(control: Locator): Promise<void> {
  await eventually(async () =>
    assert.ok(await control.evaluate((element) => element === document.activeElement), `${control} has the focus`),
  )
}

/** Opens a page, and presses its buttons as somebody without a mouse does. */
async function open(path: string) {
  const page = await posthorn.open(`/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return { page, button, keys: keyboardOf(page) }
}

test('a dialog gives the focus back to its button after it has made something', async () => {
  const { page, button, keys } = await open('/suppressions')
  const add = button('Add suppression')
  await add.press('Enter')
  await keys.type(page.getByRole('dialog').getByLabel('Email'), 'ada@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()
  await hasFocus(add)
})

test('when a dialog removes the row of its button, the focus goes to the next row, and to the page after the last', async () => {
  for (const email of ['ada@example.com', 'bea@example.com', 'cy@example.com'])
    await posthorn.api('POST', '/v1/suppressions', { email })
  const { page, button } = await open('/suppressions')
  const remove = async (email: string) => {
    await button(`Remove ${email}`).press('Enter')
    const question = page.getByRole('dialog', { name: `Remove ${email}?` })
    await question.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await button(`Remove ${email}`).waitFor({ state: 'detached' })
  }
  await remove('bea@example.com')
  await hasFocus(button('Remove ada@example.com'))
  await remove('ada@example.com')
  await hasFocus(button('Remove cy@example.com'))
  await remove('cy@example.com')
  await page.getByText('No suppressions yet').waitFor()
  await eventually(async () => assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null)))
})

test('a dialog that follows another gives the focus back to the first button', async () => {
  const { page, button, keys } = await open('/api-keys')
  const create = button('Create API key')
  await create.press('Enter')
  await keys.type(page.getByRole('dialog').getByLabel('Name'), 'Shop')
  await page.keyboard.press('Enter')
  await keys.press(page.getByRole('dialog', { name: 'Save your API key' }).getByRole('button', { name: 'Done' }))
  await hasFocus(create)
})

test('a dialog of a menu gives the focus back to the button of the menu, after Escape and after it has saved', async () => {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Greeting' })).body
  const { page, button, keys } = await open(`/workflows/${id}`)
  const more = button('More actions')
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  const edit = async () => {
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit details' }).press('Enter')
    await dialog.waitFor()
  }
  await edit()
  await page.keyboard.press('Escape')
  await hasFocus(more)
  await edit()
  await keys.type(dialog.getByLabel('Name'), 'Farewell')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Farewell' }).waitFor()
  await hasFocus(more)
})

test('a button that its own dialog takes away leaves the focus in the page', async () => {
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const mail = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'Later', text: 'Hi', scheduledAt }
  const { id } = (await posthorn.api('POST', '/v1/emails', mail)).body
  const { page, button } = await open(`/emails/${id}`)
  await button('Cancel email').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
  await button('Cancel email').waitFor({ state: 'detached' })
  await eventually(async () => assert.ok(await isInMain(page)))
})

const isInMain = (page: Page) =>
  page.evaluate(() => document.activeElement !== document.body && document.activeElement?.closest('main') !== null)

test('the command palette gives the focus back, and leads it to the page that is chosen', async () => {
  const { page, button } = await open('/suppressions')
  const add = button('Add suppression')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const ask = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.type(text)
  }
  await add.focus()
  await ask('')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await hasFocus(add)
  await ask('suppressions')
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
  await hasFocus(add)
  await ask('topics')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor()
  await hasFocus(page.getByRole('main'))
})
