import { idTimeMs } from '../ids.ts'
import { entryOf, type LoggedRequest } from './entry.ts'
import { marksOf } from './marks.ts'

/** Keeps a page's marks in its row, which PostgreSQL stores apart from 2 kB on. */
const entriesMax = 500

/** A row of `request_pages`. */
export type RequestPage = { teamId: string; second: Date; id: string; marks: Buffer; entries: string }

/** Puts requests of any teams into pages: one of each team and second, or more if there are more than 500. */
export function pagesOf(requests: readonly LoggedRequest[]): RequestPage[] {
  const open = new Map<string, LoggedRequest[]>()
  const pages: LoggedRequest[][] = []
  for (const request of requests) {
    const key = `${request.teamId} ${secondOf(request.id).getTime()}`
    let page = open.get(key)
    if (!page || page.length >= entriesMax) {
      page = []
      open.set(key, page)
      pages.push(page)
    }
    page.push(request)
  }
  return pages.map(pageOf)
}

/** Returns the second of an id's time. */
export function secondOf(id: string): Date {
  return new Date(idTimeMs(id) - (idTimeMs(id) % 1000))
}

function pageOf(requests: LoggedRequest[]): RequestPage {
  const { teamId, id } = requests[0]!
  const entries = JSON.stringify(requests.map(entryOf))
  return { teamId, id, second: secondOf(id), marks: marksOf(requests), entries }
}
