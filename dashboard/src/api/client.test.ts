import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { InfiniteQueryObserver } from '@tanstack/react-query'
import { applyHint, client } from './client.ts'
import { keys } from './keys.ts'
import { listOf } from './list.ts'

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

test('rows of one team that arrive after the change to another are not shown there', async () => {
  const answers: PromiseWithResolvers<Response>[] = []
  mock.method(globalThis, 'fetch', () => {
    const answer = Promise.withResolvers<Response>()
    answers.push(answer)
    return answer.promise
  })
  const answer = (id: string) => Response.json({ data: [{ id }], hasMore: false, cursor: null })
  const emails = listOf('/v1/emails')
  const observer = new InfiniteQueryObserver(client, emails)
  const leave = observer.subscribe(() => undefined)
  answers[0]!.resolve(answer('1'))
  await new Promise(setImmediate)
  applyHint({ emails: ['1'] })
  client.clear()
  leave()
  assert.equal(answers.length, 2)
  answers[1]!.resolve(answer('2'))
  await new Promise(setImmediate)
  assert.equal(client.getQueryData(emails.queryKey), undefined)
  mock.restoreAll()
})

test('each row of the request log has its own id, also where one person made several requests', async () => {
  const made = (requestId: string, userId: string | null) => ({ requestId, userId })
  const data = [made('1', 'ada'), made('2', 'ada'), made('3', null)]
  mock.method(globalThis, 'fetch', async () => Response.json({ data, hasMore: false, cursor: null }))
  const { pages } = await client.fetchInfiniteQuery(listOf('/v1/requests'))
  assert.deepEqual(
    pages[0]!.data.map(({ id }) => id),
    ['1', '2', '3'],
  )
  client.clear()
  mock.restoreAll()
})
