import assert from 'node:assert/strict'
import { type Answer, type Api, ok } from './app.ts'

/** Ours. More are a list that does not end. */
const pagesMax = 200

/** Reads a list to its end, page after page. */
export async function readPages({ get }: Pick<Api, 'get'>, path: string): Promise<Answer['body'][]> {
  const pages: Answer['body'][] = []
  const joint = path.includes('?') ? '&' : '?'
  for (let cursor: string | null = ''; cursor !== null; ) {
    assert.ok(pages.length < pagesMax, `${path} does not end`)
    const page: Answer['body'] = await ok(get(`${path}${cursor && `${joint}cursor=${encodeURIComponent(cursor)}`}`))
    assert.equal(page.hasMore, page.cursor !== null)
    pages.push(page)
    cursor = page.cursor
  }
  return pages
}

/** Reads all rows of a list. */
export async function readRows(api: Pick<Api, 'get'>, path: string): Promise<Answer['body'][]> {
  return (await readPages(api, path)).flatMap((page) => page.data)
}
