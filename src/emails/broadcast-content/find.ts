import type { Db } from '../../context.ts'
import { type CompiledText, compileText } from './compile.ts'

export type BroadcastContent = { html: CompiledText | null; text: CompiledText | null }

/** The content of a broadcast that is sending never changes, so those in use are kept compiled. Each takes a few megabytes at most. */
const keptMax = 16
const kept = new Map<string, BroadcastContent>()

export async function findBroadcastContent(db: Db, teamId: string, id: string): Promise<BroadcastContent> {
  const key = `${teamId} ${id}`
  const content = kept.get(key) ?? (await readContent(db, teamId, id))
  kept.delete(key)
  kept.set(key, content)
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break
    kept.delete(oldest)
  }
  return content
}

async function readContent(db: Db, teamId: string, id: string): Promise<BroadcastContent> {
  const { html, text } = await db
    .selectFrom('email_letters')
    .select(['html', 'text'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    html: html === null ? null : compileText(html, { escape: 'html' }),
    text: text === null ? null : compileText(text, { escape: 'none' }),
  }
}
