import type { App } from '../context.ts'
import { lastNotedUse } from './note-use.ts'
import { listKeysOfTeam } from './queries.ts'

/** Every key of the team, newest first, with the uses this process has not written down yet. */
export async function listApiKeys(app: App, teamId: string) {
  const rows = await listKeysOfTeam(app.db, teamId)
  return { data: rows.map((row) => ({ ...row, lastUsedAt: later(row.lastUsedAt, lastNotedUse(app, row.id)) })) }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}
