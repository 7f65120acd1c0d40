import { hashKey, infiniteQueryOptions, type Query, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { call, withQuery } from './call.ts'
import type { Gets } from './endpoints.ts'
import { type Hint, keys } from './keys.ts'
import { type Loaded, type Page, putPage, type Row } from './put-page.ts'
import { type Fields, type InputOf, type RowOf, splitFields } from './request.ts'

const pageRows = 100
/** Pages that one hint fetches again at most: the first, and those that hold the named rows. */
const pagesPerHint = 4
/** Pages of a list kept while it is not shown. */
const pagesKept = 3

/** The fields that identify a row: the first of them that it has. A logged request also names its person. */
const identities = ['id', 'contactId', 'url', 'requestId', 'userId'] as const
type Identified = { [Name in (typeof identities)[number]]: Record<Name, string> }[(typeof identities)[number]]

export type PagedPath = { [P in keyof Gets]: Gets[P]['answer'] extends Page<unknown> ? P : never }[keyof Gets]
/** A list whose rows are identified. */
export type ListPath = { [P in PagedPath]: Gets[P]['answer'] extends Page<Identified> ? P : never }[PagedPath]
export type FiltersOf<P extends PagedPath> = Omit<InputOf<Gets[P]>, 'limit' | 'cursor'>
type RestOf<P extends ListPath> = object extends FiltersOf<P> ? [filters?: FiltersOf<P>] : [filters: FiltersOf<P>]
/** A row always has an id, also where the API identifies it by another field. */
export type ListRow<P extends ListPath> = RowOf<P> & Row

/** The query of a list, for `useList` and for prefetching. The noun is the part of its path after `/v1/`. */
export function listOf<P extends ListPath>(path: P, ...[filters]: RestOf<P>) {
  const { path: filled, fields } = splitFields(path, (filters ?? {}) as Fields)
  return listAt<ListRow<P>>(filled, fields)
}

function listAt<R>(path: string, filters: Fields) {
  return infiniteQueryOptions({
    queryKey: keys.list(nounOf(path), filters),
    queryFn: ({ pageParam, signal }) =>
      readPage<R>(withQuery(path, { ...filters, limit: pageRows, cursor: pageParam }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.hasMore ? page.cursor : undefined),
  })
}

/** A list that loads page after page and follows the server's hints. */
export function useList<P extends ListPath>(path: P, ...rest: RestOf<P>): List<ListRow<P>> {
  const asked = listOf(path, ...rest)
  const query = useInfiniteQuery({ ...asked, placeholderData: (before) => before })
  const pages = query.data?.pages
  return {
    question: hashKey(asked.queryKey),
    rows: pages?.flatMap((page) => page.data),
    total: pages?.[0]?.total,
    error: query.error,
    isFetching: query.isFetching,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    moreError: query.isFetchNextPageError ? query.error : null,
    loadMore: () => void (query.hasNextPage && !query.isFetchingNextPage && query.fetchNextPage()),
    retry: () => void query.refetch(),
  }
}
export type List<R> = {
  /** Names the path and the filters, so that another search has another one. */
  question: string
  rows: R[] | undefined
  total: number | undefined
  error: Error | null
  isFetching: boolean
  hasMore: boolean
  isLoadingMore: boolean
  /** Why the next page could not be fetched. */
  moreError: Error | null
  loadMore: () => void
  retry: () => void
}

/** Starts fetching what a page shows, when its link is hovered or focused. */
export type Prefetch = (
  client: QueryClient,
  address: { params: Record<string, string>; search: Record<string, string> },
) => void

export function prefetchList<P extends ListPath>(client: QueryClient, path: P, ...rest: RestOf<P>): void {
  void client.prefetchInfiniteQuery(listOf(path, ...rest))
}

/**
 * Fetches the pages of a list that a hint concerns. All loaded pages would be too many: a list may hold 100,000 rows.
 */
export function refreshList(client: QueryClient, query: Query, hint: Hint): void {
  const data = query.state.data as Loaded<Row> | undefined
  if (!query.isActive() || data === undefined) {
    if (data)
      client.setQueryData(query.queryKey, {
        pages: data.pages.slice(0, pagesKept),
        pageParams: data.pageParams.slice(0, pagesKept),
      })
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
    return
  }
  const [noun, , filters] = query.queryKey as [string, 'list', Fields]
  const ids = new Set(hint[noun] ?? [])
  const holding = data.pages.flatMap((page, index) =>
    index === 0 || page.data.some(({ id }) => ids.has(id)) ? [index] : [],
  )
  const shown = shownOf(query)
  const round = ++rounds.asked
  for (const index of holding.slice(0, pagesPerHint)) {
    const cursor = data.pageParams[index] ?? null
    const request = { query, stop: new AbortController() }
    underWay.add(request)
    void readPage<Row>(withQuery(pathOf(noun), { ...filters, limit: pageRows, cursor }), request.stop.signal)
      .then(
        (fresh) => {
          // An answer that a later one overtook is old.
          if (round < (shown.get(cursor) ?? 0)) return
          shown.set(cursor, round)
          setRows(client, query, (now) => putPage(now, cursor, fresh))
        },
        () => undefined,
      )
      .finally(() => underWay.delete(request))
  }
}

/** Requests of `refreshList`. */
const underWay = new Set<{ query: Query; stop: AbortController }>()

/** Ends the requests by which `refreshList` fetches the concerned lists again. */
export function stopRefreshing(isConcerned: (query: Query) => boolean): void {
  for (const { query, stop } of underWay) if (isConcerned(query)) stop.abort()
}

/**
 * Changes the rows of a list. A next page that was refused stays so until a person asks for it again. A list that was
 * removed meanwhile, as by the change to another team, stays away.
 */
function setRows(client: QueryClient, query: Query, change: (now: Loaded<Row>) => Loaded<Row>): void {
  if (client.getQueryCache().get(query.queryHash) !== query) return
  const now = query.state.data as Loaded<Row> | undefined
  const isRefused = query.state.status === 'error' && query.state.fetchMeta?.fetchMore?.direction === 'forward'
  if (now && isRefused) query.setState({ data: change(now) })
  else if (now) client.setQueryData(query.queryKey, change(now))
}

/** Counts the times that a list was fetched again. */
const rounds = { asked: 0 }
const shownRounds = new WeakMap<Query, Map<string | null, number>>()

/** Holds which round each page of a list is from, by its cursor. */
function shownOf(query: Query): Map<string | null, number> {
  const known = shownRounds.get(query) ?? new Map<string | null, number>()
  shownRounds.set(query, known)
  return known
}

/** Reads a page. Rows that another field identifies, such as the recipients of a broadcast, get it as their `id`. */
async function readPage<R>(path: string, signal?: AbortSignal): Promise<Page<R>> {
  const page = await call<Page<R & Identified>>('GET', path, undefined, signal && { signal })
  return { ...page, data: page.data.map((row) => ({ ...row, id: idOf(row) })) }
}

function idOf(row: Partial<Record<(typeof identities)[number], string>>): string | undefined {
  return identities.map((name) => row[name]).find((id) => id !== undefined)
}

/** `/v1/sms/senders` is the noun `sms/senders`. Paths of `/auth` keep their first part. */
export function nounOf(path: string): string {
  return path.replace(/^\/v1\//, '').replace(/^\//, '')
}

function pathOf(noun: string): string {
  return noun.startsWith('auth/') ? `/${noun}` : `/v1/${noun}`
}
