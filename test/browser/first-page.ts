import { launchChromium } from './chromium.ts'

/**
 * `node test/browser/first-page.ts LINK` opens the link that a first start prints, and waits for the page of who is
 * signed in.
 */
const [link] = process.argv.slice(2)
if (!link) throw new Error('Usage: node test/browser/first-page.ts LINK')
const browser = await launchChromium()
try {
  const page = await browser.newPage()
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  console.log(`The link opens "${await page.title()}" at ${page.url()}`)
} finally {
  await browser.close()
}
