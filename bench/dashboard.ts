import type { Browser } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { bounded } from './bounded.ts'
import { graphResults } from './dashboard-graph.ts'
import { listResults } from './dashboard-lists.ts'
import { memoryResults } from './dashboard-memory.ts'
import { openBrowser, type Viewer } from './dashboard-viewer.ts'
import { scriptResults } from './dashboard-weight.ts'
import { milliseconds } from './format.ts'
import { median } from './statistics.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** Rows 20 to 28: the dashboard in a real Chromium, on this machine, beside the bounds of its design. */
export const dashboard: Workload = {
  name: 'dashboard',
  run: (options) => withPosthorn({}, 4, (parts) => measure(options, parts)),
}

const liveMaxMs = 1000
const furtherMaxMs = 150

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const browser = await launchChromium()
  try {
    const viewer = await openBrowser(browser, parts.posthorn)
    await send(parts, 'First')
    return [
      ...(await scriptResults(parts, viewer)),
      ...(await firstResults(options, browser, viewer)),
      await furtherPage(options, viewer),
      await live(options, parts, viewer),
      // Before the database works on a million new rows.
      ...(await graphResults(options, parts, viewer)),
      ...(await listResults(options, parts, viewer)),
      ...(await memoryResults(options, parts, viewer)),
      {
        ...{
          row: '27',
          what: 'requests that leave the origin, messages in the console, errors',
          ours: `${viewer.faults.length}`,
        },
        ...{
          reference: viewer.faults[0]?.slice(0, 80) ?? '',
          ratio: null,
          target: '0',
          met: viewer.faults.length === 0,
        },
      },
    ]
  } finally {
    await browser.close()
  }
}

function send(parts: Parts, subject: string): Promise<{ id: string }> {
  const email = { from: 'shop@sandbox.test', to: ['ada@example.com'], subject, text: 'Hello' }
  return callApi(parts, 'POST', '/v1/emails', email)
}

/** The first heading and rows of a list in a browser without a cache. */
async function firstResults({ rounds, say }: Options, browser: Browser, viewer: Viewer): Promise<Result[]> {
  const headings: number[] = []
  const rows: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const context = await viewer.newContext(browser)
    const page = await viewer.open('/app/emails', context)
    const seen = await viewer.seen(page)
    headings.push(seen.headingMs)
    rows.push(seen.rowMs)
    await context.close()
  }
  say(`cold: headings ${headings.map(milliseconds).join(', ')}; rows ${rows.map(milliseconds).join(', ')}`)
  return [
    bounded('21a', 'first heading of Emails, nothing cached', median(headings), 500),
    bounded('21b', 'its first row', median(rows), 1000),
  ]
}

/** From the click on a link that was hovered before to the heading of its page. */
async function furtherPage({ rounds }: Options, viewer: Viewer): Promise<Result> {
  const page = await viewer.open('/app/emails')
  const times: number[] = []
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (let turn = 0; turn < rounds * 2; turn++) {
    const name = turn % 2 === 0 ? 'Contacts' : 'Emails'
    const link = navigation.getByRole('link', { name, exact: true })
    await link.hover()
    await page.waitForTimeout(400)
    times.push(await viewer.timeClick(page, () => link.click(), name))
  }
  await page.close()
  return bounded('22', 'further page, from the click to its heading, link hovered before', median(times), furtherMaxMs)
}

/** From the answer of the API to the row on the screen. */
async function live({ rounds, say }: Options, parts: Parts, viewer: Viewer): Promise<Result> {
  const page = await viewer.open('/app/inbox')
  await page.getByText('First').first().waitFor()
  // The stream is open once the page has been quiet for a moment.
  await page.waitForTimeout(1500)
  const times: number[] = []
  for (let round = 0; round < rounds * 3; round++) {
    const subject = `Live ${round} of ${Date.now()}`
    await send(parts, subject)
    const answered = performance.now()
    await page.getByText(subject).first().waitFor()
    times.push(performance.now() - answered)
  }
  await page.close()
  say(`live: ${times.map(milliseconds).join(', ')}`)
  return bounded('23', 'a mail is on screen after the API has answered, slowest', Math.max(...times), liveMaxMs)
}
