import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function openForced(path: string, colorScheme: 'light' | 'dark') {
  const page = await posthorn.open(path)
  await page.emulateMedia({ forcedColors: 'active', colorScheme })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** The colour or width that a thing is drawn with. */
const drawn = (thing: Locator, property: string) =>
  thing.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

for (const scheme of ['light', 'dark'] as const) {
  test(`forced colours, ${scheme}: the current place, tab and option and the main button differ from the others`, async () => {
    const page = await openForced('/app/inbox', scheme)
    const ground = await drawn(page.locator('html'), 'background-color')
    const place = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
    assert.equal(await drawn(place('Topics'), 'border-left-color'), ground)
    assert.notEqual(await drawn(place('Inbox'), 'border-left-color'), ground)
    assert.equal(await drawn(page.getByRole('tab', { name: 'SMS' }), 'border-bottom-color'), ground)
    assert.notEqual(await drawn(page.getByRole('tab', { name: 'Email' }), 'border-bottom-color'), ground)
    await page.keyboard.press('Control+k')
    const options = page.getByRole('dialog', { name: 'Command palette' }).getByRole('option')
    await options.first().waitFor()
    assert.equal(await drawn(options.first(), 'outline-style'), 'solid')
    assert.notEqual(await drawn(options.first(), 'outline-color'), ground)
    assert.equal(await drawn(options.nth(1), 'outline-style'), 'none')
    await page.keyboard.press('Escape')
    await page.goto(`${posthorn.url}/app/emails`)
    const compose = page.getByRole('link', { name: 'Compose' })
    assert.notEqual(await drawn(compose, 'background-color'), ground)
    assert.equal(await drawn(compose, 'color'), ground)
  })

  test(`forced colours, ${scheme}: the series of a chart, a meter and the route line can be told from the ground`, async () => {
    const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'Hi', text: 'x' }
    const { body: sent } = await posthorn.api('POST', '/v1/emails', email)
    const page = await openForced('/app/metrics', scheme)
    const ground = await drawn(page.locator('html'), 'background-color')
    const pieces = page.getByRole('figure', { name: 'Emails over time' }).locator('.figure-dash')
    await pieces.first().waitFor()
    const dashes = pieces.locator('path')
    const colours = await Promise.all((await dashes.all()).map((dash) => drawn(dash, 'stroke')))
    assert.equal(new Set([...colours, ground]).size, colours.length + 1)
    const patterns = await Promise.all((await dashes.all()).map((dash) => drawn(dash, 'stroke-dasharray')))
    assert.equal(new Set(patterns).size, patterns.length)
    await page.goto(`${posthorn.url}/app/usage`)
    const meter = page.getByRole('meter', { name: 'Emails today' })
    assert.notEqual(await drawn(meter, 'border-top-color'), ground)
    assert.notEqual(await drawn(meter.locator('div'), 'background-color'), ground)
    await page.goto(`${posthorn.url}/app/emails/${sent.id}`)
    const station = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first()
    assert.notEqual(await drawn(station.locator('svg'), 'fill'), ground)
    await eventually(async () => assert.notEqual(await drawn(page.locator('.status-glyph').first(), 'stroke'), ground))
  })

  test(`forced colours, ${scheme}: the focus is outlined`, async () => {
    const page = await openForced('/app/suppressions', scheme)
    const ground = await drawn(page.locator('html'), 'background-color')
    await page.getByRole('button', { name: 'Account menu' }).focus()
    await page.keyboard.press('Shift+Tab')
    const focused = page.locator(':focus-visible')
    assert.equal(await drawn(focused, 'outline-style'), 'solid')
    assert.notEqual(await drawn(focused, 'outline-color'), ground)
  })
}
