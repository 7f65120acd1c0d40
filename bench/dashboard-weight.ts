import type { Viewer } from './dashboard-viewer.ts'
import type { Parts } from './with-posthorn.ts'
import type { Result } from './workload.ts'

const firstMaxKb = 180
const furtherMaxKb = 25
const editorMaxKb = 170

type Entry = { path: string; isOpen?: true }

/**
 * The script before the first screen, and what the heaviest pages without and with a code editor add, compressed by
 * gzip.
 */
export async function scriptResults(parts: Parts, viewer: Viewer): Promise<Result[]> {
  const html = await (await parts.http.request({ method: 'GET', path: '/app' })).body.text()
  const first = new Set([...html.matchAll(/(?:src|href)="(\/app\/assets\/\w+\.js)"/g)].map(([, path]) => path!))
  const firstKb = await weigh(parts, first)
  const table = new URL('../dashboard/src/pages.ts', import.meta.url).href
  const { pages } = (await import(table)) as { pages: Entry[] }
  const plain = { path: '', kb: 0 }
  const editing = { path: '', kb: 0 }
  for (const { path } of pages.filter((page) => !page.isOpen && !page.path.includes(':'))) {
    const { scripts, hasEditor } = await scriptsOf(viewer, `/app${path}`, first)
    const kb = await weigh(parts, scripts)
    const heaviest = hasEditor ? editing : plain
    if (kb > heaviest.kb) Object.assign(heaviest, { path, kb })
  }
  return [
    kilobytes('20a', 'script before the first screen, gzip', firstKb, firstMaxKb),
    kilobytes('20b', `script that a page adds; the heaviest is ${plain.path}`, plain.kb, furtherMaxKb),
    kilobytes('20c', `the same with a code editor: ${editing.path}`, editing.kb, furtherMaxKb + editorMaxKb),
  ]
}

/** Lists the scripts that a page has loaded beyond the first ones. */
async function scriptsOf(viewer: Viewer, path: string, first: Set<string>) {
  const page = await viewer.open(path)
  await page.waitForTimeout(500)
  const loaded = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
  )) as string[]
  const hasEditor = (await page.locator('.cm-editor').count()) > 0
  await page.close()
  return { scripts: new Set(loaded.filter((each) => each.endsWith('.js') && !first.has(each))), hasEditor }
}

async function weigh({ http }: Parts, paths: Set<string>): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const { body } = await http.request({ method: 'GET', path, headers: { 'accept-encoding': 'gzip' } })
    bytes += (await body.arrayBuffer()).byteLength
  }
  return bytes / 1000
}

function kilobytes(row: string, what: string, kb: number, maxKb: number): Result {
  return {
    row,
    what,
    ours: `${kb.toFixed(1)} kB`,
    reference: '',
    ratio: null,
    target: `<= ${maxKb} kB`,
    met: kb <= maxKb,
  }
}
