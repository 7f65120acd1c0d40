import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { checkFocus } from './focus.ts'
import { openDashboard } from './open.ts'

type Entry = { path: string; isOpen?: true }

const posthorn = await openDashboard()
// The modules of the pages are not loaded by it.
const table = new URL('../../dashboard/src/pages.ts', import.meta.url).href
const { pages } = (await import(table)) as { pages: Entry[] }
/** Refused without the token of a link. */
const needToken = ['/start', '/invitation']

// Pages that show one thing of the API are tested in the files of their nouns.
for (const { path, isOpen } of pages.filter((page) => !page.path.includes(':'))) {
  test(`${path} has no axe violation in either scheme, fits 390 px, shows the focus and logs nothing`, async () => {
    if (needToken.includes(path)) posthorn.mayLog(/status of 40\d/)
    const page = await (isOpen ? posthorn.openSignedOut(`/app${path}`) : posthorn.open(`/app${path}`))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkFocus(page)
    await checkAccessibility(page)
  })
}
