import type { Db } from '../../context.ts'
import { type CompiledText, compileText } from './compile.ts'

export type Letter = { html: CompiledText | null; text: CompiledText | null }

/** Letters never change, so those in use are kept, read and compiled: a few megabytes each at the most. */
const keptMax = 16
const kept = new Map<string, Letter>()

export async function findLetter(db: Db, teamId: string, id: string): Promise<Letter> {
  const key = `${teamId} ${id}`
  const letter = kept.get(key) ?? (await readLetter(db, teamId, id))
  kept.delete(key)
  kept.set(key, letter)
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break
    kept.delete(oldest)
  }
  return letter
}

async function readLetter(db: Db, teamId: string, id: string): Promise<Letter> {
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
