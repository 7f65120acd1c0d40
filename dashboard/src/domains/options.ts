import { useQuery } from '@tanstack/react-query'
import { get, withQuery } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import type { Option } from '../ui/field.tsx'

/** Pages of 100 domains that a choice offers. */
const pagesMax = 10

/** The team's domains as options, by name. */
export function useDomainOptions(): Option[] {
  const { data = [] } = useQuery({
    queryKey: keys.part('domains', 'choice'),
    queryFn: ({ signal }) => readDomains(signal),
  })
  return data
}

async function readDomains(signal: AbortSignal): Promise<Option[]> {
  const found: Option[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const path = withQuery('/v1/domains', { limit: 100, cursor })
    const answer: Page<{ id: string; name: string }> = await get(path, { signal })
    found.push(...answer.data.map(({ id, name }) => ({ value: id, label: name })))
    cursor = answer.cursor
    if (!answer.hasMore) break
  }
  return found.sort((one, other) => one.label.localeCompare(other.label))
}
