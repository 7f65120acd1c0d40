import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'

/** More than the controls of any page. The log of requests has a row for each one that the pages of a file made. */
const stepsMax = 1500

/**
 * Goes over the content of a page with Tab once all of it is there, and opens and closes each of its dialogs and menus.
 * Fails on a control without a visible ring, out of the page's order or out of sight, on Tab that never leaves, and on
 * a button that loses the focus.
 */
export async function checkFocus(page: Page): Promise<void> {
  // Content that arrives later moves the controls. A preview shows an empty box until its frame is there.
  const loading = page.locator('.loading, div.preview-frame, .preview-behind')
  await eventually(async () => assert.equal(await loading.count(), 0, 'the page is still loading'))
  // A frame whose document changes while it has the focus loses its ring.
  await eventually(async () => {
    const urls = page.frames().map((frame) => frame.url())
    assert.equal(urls.length, 1 + (await page.locator('iframe').count()))
    assert.ok(!urls.includes('about:blank') && !urls.includes(''))
  })
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState()))
  assert.equal(await page.locator('[tabindex]:not([tabindex="0"], [tabindex="-1"])').count(), 0, 'a positive tabindex')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  // The overview stands for the navigation of all pages.
  if ((await skip.count()) > 0 && new URL(page.url()).pathname !== '/app') {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  assert.deepEqual([...(await walk(page)), ...(await openAndClose(page))], [], `the focus on ${page.url()}`)
}

/** Presses Tab from where the focus is until it leaves the page or begins again at its first control. */
async function walk(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (let step = 0; step < stepsMax; step++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(lookAtFocus)
    faults.push(...seen.faults)
    if (seen.isAtEnd) return faults
  }
  return [...faults, `Tab has not left the page after ${stepsMax} steps`]
}

/** Runs in the page: compares the control that has the focus with the one that had it before. */
function lookAtFocus(): { faults: string[]; isAtEnd: boolean } {
  const memory = window as { before?: { element: Element; ring: string } }
  const { before } = memory
  const element = document.activeElement!
  // A date has several parts, which are reached one after the other.
  if (element === before?.element) return { faults: [], isAtEnd: false }
  const faults: string[] = []
  const ringOf = (element: Element) => {
    const drawn = [getComputedStyle(element), getComputedStyle(element, '::after')]
    // An editor, a file or a hidden input is drawn by what is around it.
    for (let around = element.parentElement, depth = 0; around && depth < 2; around = around.parentElement, depth++)
      drawn.push(getComputedStyle(around))
    return drawn
      .map(({ outlineStyle, outlineWidth, boxShadow }) => `${outlineStyle} ${outlineWidth} ${boxShadow}`)
      .join()
  }
  const nameOf = (element: Element) =>
    `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 60) ?? ''} .${element.className}`
  if (before && ringOf(before.element) === before.ring) faults.push(`no ring: ${nameOf(before.element)}`)
  const isBefore = before && !(before.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
  const isFirst = element === document.querySelector('a[href], button, input')
  if (element === document.body || (isBefore && isFirst)) {
    delete memory.before
    return { faults, isAtEnd: true }
  }
  if (isBefore) faults.push(`out of order: ${nameOf(element)}`)
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
  const isOutside = width * height === 0 || bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth
  // A row moves when newer ones arrive above it.
  if (isOutside && !element.closest('[data-index]')) faults.push(`out of sight: ${nameOf(element)}`)
  memory.before = { element, ring: ringOf(element) }
  return { faults, isAtEnd: false }
}

/**
 * Opens each dialog and menu of the content and closes it by Escape. Returns the buttons that do not get the focus
 * back.
 */
async function openAndClose(page: Page): Promise<string[]> {
  const faults: string[] = []
  const buttons = page.locator('main').locator('button[aria-haspopup]:visible:enabled:not([aria-disabled])')
  const popup = page.locator('dialog[open], [role="menu"]:popover-open')
  for (const button of await buttons.all()) {
    const name = String((await button.getAttribute('aria-label')) ?? (await button.innerText()))
    await button.press('Enter')
    await popup.waitFor()
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'detached' })
    if (!(await button.evaluate((element) => element === document.activeElement))) faults.push(`lost by ${name}`)
  }
  return faults
}
