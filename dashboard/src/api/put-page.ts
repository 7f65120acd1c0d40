import type { InfiniteData } from '@tanstack/react-query'

/** A page of a list. The answers of the API that have this form are `PagedPath`. */
export type Page<Row> = { data: Row[]; cursor: string | null; hasMore: boolean; total?: number }

export type Row = { id: string }
export type Loaded<R> = InfiniteData<Page<R>, string | null>

/**
 * Puts a fresh page in the place of the one with the same cursor, and loses no row that is still there.
 *
 * - New rows push the others down: those that the fresh page no longer reaches are kept.
 * - Where rows are gone, the fresh page reaches into the next ones, and what both hold stays in the next ones.
 * - A row that came up from a next page, such as a conversation with a new message, leaves that page.
 * - A fresh page that is the last one ends the list.
 */
export function putPage(now: Loaded<Row>, cursor: string | null, fresh: Page<Row>): Loaded<Row> {
  const at = now.pageParams.indexOf(cursor)
  const old = now.pages[at]
  if (!old) return now
  if (!fresh.hasMore) return { pages: [...now.pages.slice(0, at), fresh], pageParams: now.pageParams.slice(0, at + 1) }
  const ids = idsOf(fresh)
  const reached = new Set(ids)
  const next = now.pages.slice(at + 1)
  const places = placesOf(reached, next)
  const own = ids.length - overlapOf(ids, places)
  const lastIndex = idsOf(old).lastIndexOf(ids.at(-1)!)
  const hasRisen = ids.slice(0, own).some((id) => places.has(id))
  // The old rows are gone if others take their place in front of the next page, but not if those came up from there.
  const isContinued = own < ids.length && (!hasRisen || old.data.some(({ id }) => reached.has(id)))
  if (at === 0 && lastIndex < 0 && !isContinued) return { pages: [fresh], pageParams: [cursor] }
  const pushedOut = lastIndex >= 0 ? old.data.slice(lastIndex + 1) : []
  const before = new Set(now.pages.slice(0, at).flatMap(idsOf))
  const data = [
    ...fresh.data.slice(0, own).filter(({ id }) => !before.has(id)),
    ...pushedOut.filter(({ id }) => !reached.has(id)),
  ]
  // The cursor of the old page belongs to its last row, which stays the last one.
  const isOldEnd = pushedOut.length > 0 || next.length > 0
  const page = isOldEnd ? { ...old, ...total(fresh), data } : { ...fresh, data }
  return { ...now, pages: [...now.pages.slice(0, at), page, ...withoutGone(next, ids, own, places)] }
}

function idsOf(page: Page<Row>): string[] {
  return page.data.map(({ id }) => id)
}

/** Returns where the pages together have these rows. */
function placesOf(ids: ReadonlySet<string>, pages: Page<Row>[]): Map<string, number> {
  const places = new Map<string, number>()
  let place = 0
  for (const page of pages) {
    for (const { id } of page.data) {
      if (ids.has(id)) places.set(id, place)
      place++
    }
  }
  return places
}

/** Counts the last rows that the next pages hold in the same order. */
function overlapOf(ids: string[], places: Map<string, number>): number {
  let count = 0
  let after = Number.POSITIVE_INFINITY
  for (const id of ids.toReversed()) {
    const place = places.get(id)
    if (place === undefined || place >= after) break
    after = place
    count++
  }
  return count
}

/**
 * Takes two kinds of rows out of the next pages: the `own` rows of the fresh page, which came up from there, and those
 * before its last row that it does not have, which are gone.
 */
function withoutGone(pages: Page<Row>[], ids: string[], own: number, places: Map<string, number>): Page<Row>[] {
  if (places.size === 0) return pages
  const shared = new Set(ids.slice(own))
  const lastPlace = shared.size > 0 ? places.get(ids.at(-1)!)! : -1
  let place = 0
  return pages.map((page) => {
    const data = page.data.filter(({ id }) => {
      const isPassed = place++ < lastPlace
      return shared.has(id) || !(isPassed || places.has(id))
    })
    return data.length === page.data.length ? page : { ...page, data }
  })
}

function total(page: Page<Row>): { total?: number } {
  return page.total === undefined ? {} : { total: page.total }
}
