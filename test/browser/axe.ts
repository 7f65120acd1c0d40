import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules that look at colours. Others find the same in the dark as in the light. */
const colourRules = ['color-contrast', 'link-in-text-block']
const usualWidths = [1440, 390]
const schemes = ['light', 'dark'] as const

/**
 * Fails on anything that axe objects to, and on scrolling sideways, in both colour schemes and at 1440 and 390 px, or
 * other widths.
 */
export async function checkAccessibility(page: Page, widths = usualWidths): Promise<void> {
  const usual = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const at = `${new URL(page.url()).pathname} at ${width} px, ${colorScheme}`
      assert.deepEqual(await findFaults(page, colorScheme === 'dark' ? colourRules : null), [], `axe: ${at}`)
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.ok(Number(overflow) <= 0, `${page.url()} scrolls sideways by ${overflow} px at ${width} px`)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  await page.setViewportSize(usual)
}

/**
 * Runs axe, or some of its rules, by the debugger's protocol, because the policy of the page allows no script from
 * elsewhere.
 */
async function findFaults(page: Page, rules: string[] | null): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const run = async (expression: string) => {
    const answer = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? expression)
    return answer.result.value as unknown
  }
  // Two frames, so that the page has been laid out for the new width and colours.
  await run('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
  if ((await run('typeof axe')) === 'undefined') await run(axe.source)
  // Previews of letters are frames that run no script, so axe's messages to them would only be refused, into the
  // console.
  // Axe describes only violations, because a description takes longer than a check.
  const options = JSON.stringify({ iframes: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = await run(`axe.run(document, ${options}).then(({ violations }) => JSON.stringify(violations))`)
  await session.detach()
  const violations = JSON.parse(String(found)) as {
    id: string
    help: string
    nodes: { target: string[]; html: string }[]
  }[]
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')} ${html.slice(0, 200)}`),
  )
}
