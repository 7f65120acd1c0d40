import type { List } from '../../api/list.ts'
import { Failed, Loading } from '../frame/states.tsx'

/** Below the rows of a list: that its next page is being fetched, or why it could not be. */
export function More({ list }: { list: Pick<List<unknown>, 'isLoadingMore' | 'loadMore' | 'moreError'> }) {
  if (list.isLoadingMore) return <Loading lines={2} />
  return list.moreError && <Failed error={list.moreError} onRetry={list.loadMore} />
}
