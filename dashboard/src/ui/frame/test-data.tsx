import { useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import type { PagedPath } from '../../api/list.ts'
import { getAny } from '../../api/request.ts'
import type { PagePath } from '../../paths.ts'
import { useAddress, useMode } from '../go/address.ts'
import { Go } from '../go/go.tsx'

/** Says that a page shows what test keys sent, and leads back to live messages. Nothing in live mode. */
export function TestDataNotice({ to = '.' }: { to?: PagePath | '.' }) {
  const [{ channel }] = useAddress()
  if (useMode() === undefined) return null
  return (
    <p className="test-data">
      <span>
        <strong>Test data.</strong> What test keys send is captured here. Nothing leaves, and nothing counts.
      </span>
      <Go to={to} search={{ channel }}>
        Show live messages
      </Go>
    </p>
  )
}

/** Leads from live messages to test messages, where one of these lists of the noun has any. */
export function TestDataLink({ noun, paths }: { noun: string; paths: PagedPath[] }) {
  const [{ channel }] = useAddress()
  const mode = useMode()
  const hasTest = useQuery({
    queryKey: keys.part(noun, 'has-test'),
    queryFn: async ({ signal }) => {
      const first = (path: PagedPath) => getAny(path, { mode: 'test', limit: 1 }, { signal })
      return (await Promise.all(paths.map(first))).some(({ data }) => data.length > 0)
    },
    enabled: mode === undefined,
  }).data
  if (mode !== undefined || !hasTest) return null
  return (
    <Go to="." search={{ channel, mode: 'test' }} className="button button-plain">
      Show test messages
    </Go>
  )
}
