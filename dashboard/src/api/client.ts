import { type Query, QueryClient } from '@tanstack/react-query'
import type { Deletes } from './endpoints.ts'
import { untilReleased } from './hold.ts'
import { type Hint, isConcerned, isOf, joinHints, type Noun, withFollowing } from './keys.ts'
import { refreshList, stopRefreshing } from './list.ts'
import type { Mode } from './mode.ts'
import { ask } from './request.ts'
import { createStore } from './store.ts'

/** Hints about what is being fetched, by the hash of its query. The answer may be older than the change. */
const late = new Map<string, Hint>()

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

// An answer, a failure, and an end without either, as when its page is left.
client.getQueryCache().subscribe(({ type, query: { queryHash, state } }) => {
  if (type === 'updated' && state.fetchStatus === 'idle' && late.has(queryHash)) {
    queueMicrotask(() => applyLate(queryHash))
  }
})

/** Ids of things that were deleted here. Hints about them arrive while their page is still shown. */
const gone = new Set<string>()

function isGone(key: readonly unknown[]): boolean {
  return [...gone].some((id) => isOf(key, id))
}

/** A path whose things are deleted by their id alone. */
export type DeletedPath = Extract<keyof Deletes, `${string}/:id`>

/** Deletes a thing whose page is shown. From then on nothing fetches it again, or what belongs to it. */
export async function removeShown(path: DeletedPath, id: string, mode?: Mode): Promise<void> {
  gone.add(id)
  try {
    await stopFetching(({ queryKey }) => isOf(queryKey, id))
    await ask('DELETE', path, { id, mode })
  } catch (error) {
    gone.delete(id)
    throw error
  }
}

/** Forgets what was read of a deleted thing. Call it once its page is left. */
export function forget(id: string): void {
  client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => isOf(queryKey, id) })
}

/** Fetches what is visible of the changed nouns again, and marks the rest as old. */
export function changed(...nouns: Noun[]): void {
  applyHint(Object.fromEntries(nouns.map((noun) => [noun, []])))
}

/** Names every noun of which something has been fetched, as if all of it had changed. */
export function everyNoun(): Hint {
  const queries = client.getQueryCache().getAll()
  return Object.fromEntries(queries.map(({ queryKey }) => [String(queryKey[0]), []]))
}

const isFetchingNothing = createStore(false)

/**
 * Applies no hints, and ends requests that are under way, until `work` has ended. If it fails, fetches everything
 * again.
 */
export async function fetchNothing(work: () => Promise<void>): Promise<void> {
  isFetchingNothing.set(true)
  try {
    await stopFetching(() => true)
    await work()
    isFetchingNothing.set(false)
  } catch (error) {
    isFetchingNothing.set(false)
    applyHint(everyNoun())
    throw error
  }
}

async function stopFetching(isConcerned: (query: Query) => boolean): Promise<void> {
  stopRefreshing(isConcerned)
  await client.cancelQueries({ predicate: isConcerned })
}

export function applyHint(plain: Hint): void {
  if (isFetchingNothing.get() || untilReleased()) return
  const hint = withFollowing(plain)
  const concerned = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => isConcerned(queryKey, hint) && !isGone(queryKey) })
  for (const query of concerned) {
    const isList = query.queryKey[1] === 'list'
    // Invalidating another query with data fetches it anew by itself.
    const isLate = query.state.fetchStatus === 'fetching' && (isList || query.state.data === undefined)
    if (isLate) late.set(query.queryHash, joinHints(late.get(query.queryHash) ?? {}, hint))
    else refresh(query, hint)
  }
}

/** Applies the hints that came while a query was being fetched. */
function applyLate(queryHash: string): void {
  const query = client.getQueryCache().get(queryHash)
  const hint = late.get(queryHash)
  late.delete(queryHash)
  if (query && hint && !isFetchingNothing.get() && !isGone(query.queryKey)) refresh(query, hint)
}

function refresh(query: Query, hint: Hint): void {
  if (query.queryKey[1] === 'list') refreshList(client, query, hint)
  else void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
}
