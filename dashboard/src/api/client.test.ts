import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InfiniteQueryObserver } from '@tanstack/react-query'
import { applyHint, client } from './client.ts'
import { keys } from './keys.ts'

type Page = { data: { id: string }[]; cursor: string }

test('a list that is left while its next page is fetched keeps the hints of that time', async () => {
  const queryKey = keys.list('emails')
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      pageParam === null
        ? Promise.resolve({ data: [{ id: '1' }], cursor: 'more' })
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const leave = observer.subscribe(() => undefined)
  await observer.refetch()
  void observer.fetchNextPage()
  applyHint({ emails: ['1'] })
  leave()
  await new Promise(setImmediate)
  assert.equal(client.getQueryState(queryKey)?.isInvalidated, true)
  client.clear()
})
