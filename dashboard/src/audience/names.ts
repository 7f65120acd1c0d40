import { useQuery } from '@tanstack/react-query'
import { get, withQuery } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import { nounOf } from '../api/list.ts'
import type { Option } from '../ui/field.tsx'

type Named = { id: string; name: string }

const pageRows = 100
/** Ours: a longer menu helps nobody. */
const pagesMax = 10

/** The segments or topics as options of a menu, newest first, at most 1000. */
export function useNames(path: '/v1/segments' | '/v1/topics'): Option[] {
  const { data } = useQuery({
    queryKey: keys.part(nounOf(path), 'names'),
    queryFn: ({ signal }) => readNames(path, signal),
    staleTime: 30_000,
  })
  return data ?? []
}

async function readNames(path: string, signal: AbortSignal): Promise<Option[]> {
  const options: Option[] = []
  let cursor: string | null = null
  for (let count = 0; count < pagesMax; count++) {
    const page: Page<Named> = await get<Page<Named>>(withQuery(path, { limit: pageRows, cursor }), { signal })
    options.push(...page.data.map(({ id, name }) => ({ value: id, label: name })))
    cursor = page.cursor
    if (!page.hasMore) break
  }
  return options
}
