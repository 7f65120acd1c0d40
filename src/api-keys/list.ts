import type { App } from '../context.ts'
import type { PageQuery } from '../platform/pagination.ts'
import { keyUses } from './note-use.ts'
import { type KeyScope, listKeysOfTeam } from './queries.ts'

/** Lists a page of the keys the caller may see, newest first, with the uses that this process has not stored yet. */
export async function listApiKeys(app: App, scope: KeyScope, query: PageQuery) {
  const { data, ...page } = await listKeysOfTeam(app, scope, query)
  return {
    data: data.map((row) => ({ ...row, lastUsedAt: later(row.lastUsedAt, keyUses.find(app, row.id)) })),
    ...page,
  }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}
