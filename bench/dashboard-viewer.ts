import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { collectFaults } from '../test/browser/faults.ts'
import type { Posthorn } from './start-posthorn.ts'

type Seen = { headingMs: number; rowMs: number }

export type Viewer = {
  /** The faults of all pages: requests elsewhere, messages in the console, broken policy. */
  faults: string[]
  /** A browser of its own, without a cache, that is signed in. */
  newContext(browser: Browser): Promise<BrowserContext>
  open(path: string, context?: BrowserContext): Promise<Page>
  /** When a page showed its first heading and its first row, since its navigation began. */
  seen(page: Page): Promise<Seen>
  /** From a click to the heading of the page that it opens. */
  timeClick(page: Page, click: () => Promise<void>, heading: string): Promise<number>
  /** The middle time between two frames, during `frames` of them. */
  frameMs(page: Page, frames: number, step: string): Promise<number>
}

/** Notes in the page itself when things appear, since asking from outside takes milliseconds. */
const observer = `
  window.bench = { headingMs: null, rowMs: null, stepMs: null, headings: [], clickMs: null }
  addEventListener('click', () => { bench.clickMs = performance.now() }, true)
  new MutationObserver(() => {
    const now = performance.now()
    const heading = document.querySelector('h1')?.textContent
    if (heading && heading !== bench.headings.at(-1)?.text) bench.headings.push({ text: heading, at: now })
    if (heading) bench.headingMs ??= now
    if (document.querySelector('tbody tr')) bench.rowMs ??= now
    if (bench.stepMs === null && document.querySelector('.react-flow__node')) {
      bench.stepMs = now
      // Once they are painted.
      requestAnimationFrame(() => setTimeout(() => { bench.stepMs = performance.now() }))
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
`

const lookEveryMs = 10
const notedWithinMs = 30_000

/**
 * Waits until the page has noted a time, and returns it. A locator would wait too, but it first loads a script of 330
 * kB into the page, which takes the page 50 ms.
 */
export async function noted(page: Page, name: 'headingMs' | 'rowMs' | 'stepMs'): Promise<number> {
  const lastMs = performance.now() + notedWithinMs
  for (;;) {
    const ms = (await page.evaluate(`bench.${name}`)) as number | null
    if (ms !== null) return ms
    if (performance.now() > lastMs) throw new Error(`${page.url()} shows nothing: ${name} is missing.`)
    await sleep(lookEveryMs)
  }
}

/** Signs a browser in by the link of the first start. */
export async function openBrowser(browser: Browser, { url, startLink }: Posthorn): Promise<Viewer> {
  const first = await browser.newContext()
  const headers = { origin: url }
  const data = { startToken: startLink?.split('#')[1] }
  const answer = await first.request.post(`${url}/auth/session`, { headers, data })
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}: ${await answer.text()}`)
  const state = await first.storageState()
  await first.close()
  const faults: string[] = []
  const newContext = async (from: Browser) => {
    const context = await from.newContext({
      storageState: state,
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
    })
    // A sandboxed preview refuses the observer, as it refuses every script.
    const found = collectFaults(context, url, [/Blocked script execution/])
    context.on('close', () => void faults.push(...found))
    context.on('page', (page) => page.on('close', () => void faults.push(...found.splice(0))))
    await context.addInitScript(observer)
    return context
  }
  const usual = await newContext(browser)
  // The first page waits for the build.
  await usual.request.get(`${url}/app`)
  return {
    faults,
    newContext,
    async open(path, context = usual) {
      const page = await context.newPage()
      await page.goto(url + path)
      await noted(page, 'headingMs')
      return page
    },
    async seen(page) {
      await noted(page, 'rowMs')
      return (await page.evaluate('bench')) as Seen
    },
    async timeClick(page, click, heading) {
      await click()
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      return (await page.evaluate('bench.headings.at(-1).at - bench.clickMs')) as number
    },
    frameMs: async (page, frames, step) =>
      (await page.evaluate(`new Promise((done) => {
        const times = []
        let last = performance.now()
        const frame = (now) => {
          times.push(now - last)
          last = now
          ${step}
          if (times.length < ${frames}) requestAnimationFrame(frame)
          else done(times.sort((a, b) => a - b)[Math.floor(times.length / 2)])
        }
        requestAnimationFrame(frame)
      })`)) as number,
  }
}
