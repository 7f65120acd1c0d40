import type { Page } from 'playwright-core'
import { bounded } from './bounded.ts'
import type { Viewer } from './dashboard-viewer.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { milliseconds } from './format.ts'
import { median } from './statistics.ts'
import type { Parts } from './with-posthorn.ts'
import type { Options, Result } from './workload.ts'

const stepMaxMs = 300
const rowsMax = 60
const frameMaxMs = 17
const frames = 180

/** A list of many emails: its next page, its search, and scrolling where many are loaded. */
export async function listResults(options: Options, { database }: Parts, viewer: Viewer): Promise<Result[]> {
  const { quick, rounds, say } = options
  const [emails, loaded] = quick ? [10_000, 1000] : [1_000_000, 100_000]
  say(`filling up to ${emails} emails`)
  await fillEmails(database, await findSandbox(database), 0, emails)
  const page = await viewer.open('/app/emails')
  await page.locator('tbody tr').first().waitFor()
  const next: number[] = []
  for (let round = 0; round < rounds * 3; round++) next.push(await nextPage(page))
  const searches: number[] = []
  for (let round = 0; round < rounds; round++) searches.push(await search(page))
  const known = await loadUpTo(page, loaded, say)
  const frameMs = await viewer.frameMs(page, frames, `document.querySelector('.scroller').scrollTop -= 60`)
  const rows = (await page.evaluate(`document.querySelectorAll('tbody tr').length`)) as number
  await page.close()
  return [
    bounded('24a', `next page of ${emails} emails`, median(next), stepMaxMs),
    bounded(
      '24b',
      `search in ${emails} emails, from the last key to the answer on the screen`,
      median(searches),
      stepMaxMs,
    ),
    {
      ...{ row: '25a', what: `rows in the page, ${known} loaded`, ours: `${rows}`, reference: '', ratio: null },
      ...{ target: `< ${rowsMax}`, met: rows < rowsMax },
    },
    {
      ...{
        row: '25b',
        what: 'median frame while they are scrolled',
        ours: milliseconds(frameMs),
        reference: '',
        ratio: null,
      },
      ...{ target: `<= ${frameMaxMs} ms`, met: frameMs <= frameMaxMs },
    },
  ]
}

const heightNow = `document.querySelector('tbody').style.height`
const toEnd = `document.querySelector('.scroller').scrollTop = 1e9`

/** Scrolls to the end, and waits until the list is longer. Returns how long that took. */
async function nextPage(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((done) => {
    const before = ${heightNow}
    const began = performance.now()
    const look = () => ${heightNow} === before ? requestAnimationFrame(look) : done(performance.now() - began)
    ${toEnd}
    look()
  })`)) as number
}

/** Types a rare word. Returns the time until only emails with it are shown; then takes it back. */
async function search(page: Page): Promise<number> {
  const field = page.getByLabel('Search emails')
  await field.fill('zebr')
  await page.waitForTimeout(1000)
  const shown = page.evaluate(`new Promise((done) => {
    let began
    addEventListener('input', () => { began = performance.now() }, { once: true, capture: true })
    const look = () => {
      const rows = [...document.querySelectorAll('tbody tr')]
      const isThere = began !== undefined && location.search.includes('zebra') && rows.every((row) => /zebra/i.test(row.textContent))
      if (isThere) done(performance.now() - began)
      else requestAnimationFrame(look)
    }
    look()
  })`)
  await field.press('End')
  await field.press('a')
  const ms = (await shown) as number
  await field.fill('')
  await page.waitForTimeout(1000)
  return ms
}

async function loadUpTo(page: Page, wanted: number, say: Options['say']): Promise<number> {
  const count = async () => (await page.evaluate(`Math.round(parseFloat(${heightNow}) / 36)`)) as number
  for (let loaded = await count(); loaded < wanted; loaded = await count()) {
    await nextPage(page)
    if (loaded % 10_000 < 100) say(`${loaded} rows loaded`)
  }
  return count()
}
