import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CallOptions } from './call.ts'
import { keys } from './keys.ts'
import { type FiltersOf, nounOf, type PagedPath } from './list.ts'
import type { Page } from './put-page.ts'
import { ask, type RowOf } from './request.ts'

const pageRows = 100
/** Ours: a longer menu cannot be read. */
const pagesMax = 10
export const allMax = pagesMax * pageRows

/** Tells whether there may be more rows than `readAll` has read. */
export function isCut(rows: readonly unknown[] | undefined): boolean {
  return rows !== undefined && rows.length >= allMax
}

/** The query of all rows of a list for a choice, newest first, at most 1000. */
export function allOf<P extends PagedPath>(path: P) {
  return queryOptions({
    queryKey: keys.part(nounOf(path), 'all'),
    queryFn: ({ signal }) => readAll(path, {}, { signal }),
  })
}

/** All rows of a list; undefined until they are read. */
export function useAll<P extends PagedPath>(path: P): RowOf<P>[] | undefined {
  return useQuery(allOf(path)).data
}

/** A list whose rows have names. */
type NamedPath = { [P in PagedPath]: RowOf<P> extends { id: string; name: string } ? P : never }[PagedPath]

/** All rows of a list as the options of a menu; undefined until they are read. */
export function useOptions(path: NamedPath): { value: string; label: string }[] | undefined {
  return useAll(path)?.map(({ id, name }) => ({ value: id, label: name }))
}

/** Reads a list page by page, up to 1000 rows. */
export async function readAll<P extends PagedPath>(
  path: P,
  filters: Partial<FiltersOf<P>>,
  options: CallOptions,
): Promise<RowOf<P>[]> {
  const rows: RowOf<P>[] = []
  let cursor: string | null = null
  for (let count = 0; count < pagesMax; count++) {
    const page: Page<RowOf<P>> = await ask('GET', path, { ...filters, limit: pageRows, cursor }, options)
    rows.push(...page.data)
    cursor = page.cursor
    if (!page.hasMore) break
  }
  return rows
}
