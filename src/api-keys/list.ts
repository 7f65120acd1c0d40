import type { App } from '../context.ts'
import type { PageQuery } from '../platform/pagination.ts'
import { lastNotedUse } from './note-use.ts'
import { listKeysOfTeam } from './queries.ts'

/** A page, newest first, with the uses this process has not written down yet. */
export async function listApiKeys(app: App, teamId: string, query: PageQuery) {
  const { data, ...page } = await listKeysOfTeam(app, teamId, query)
  return {
    data: data.map((row) => ({ ...row, lastUsedAt: later(row.lastUsedAt, lastNotedUse(app, row.id)) })),
    ...page,
  }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}
