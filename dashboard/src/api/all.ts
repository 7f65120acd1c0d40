import { queryOptions, useQuery } from '@tanstack/react-query'
import { get, withQuery } from './call.ts'
import type { Page } from './json.ts'
import { keys } from './keys.ts'

const pageRows = 100
/** Ours: a longer menu cannot be read. */
const pagesMax = 10

/** The query of all rows of a noun for a choice, newest first, at most 1000. */
export function allOf<Row>(noun: string) {
  return queryOptions({ queryKey: keys.part(noun, 'all'), queryFn: ({ signal }) => readAll<Row>(noun, signal) })
}

/** All rows of a noun; undefined until they are read. */
export function useAll<Row>(noun: string): Row[] | undefined {
  return useQuery(allOf<Row>(noun)).data
}

/** All rows of a noun as the options of a menu. */
export function useOptions(noun: string): { value: string; label: string }[] {
  const rows = useAll<{ id: string; name: string }>(noun) ?? []
  return rows.map(({ id, name }) => ({ value: id, label: name }))
}

async function readAll<Row>(noun: string, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let count = 0; count < pagesMax; count++) {
    const page: Page<Row> = await get<Page<Row>>(withQuery(`/v1/${noun}`, { limit: pageRows, cursor }), { signal })
    rows.push(...page.data)
    cursor = page.cursor
    if (!page.hasMore) break
  }
  return rows
}
