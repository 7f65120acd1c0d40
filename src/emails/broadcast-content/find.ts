import type { App, Db } from '../../context.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'
import { type CompiledText, compileText } from './compile.ts'
import { listHeaders } from './list-headers.ts'

/** The parts of a broadcast's emails that are the same for all recipients. */
type BroadcastContent = {
  html: CompiledText | null
  text: CompiledText | null
  headers: Record<string, string>
}

/**
 * Compiled contents in use. The content of a sending broadcast never changes, and each takes at most a few megabytes.
 */
const keptOf = perApp((_: App['jobs']) => createLru<BroadcastContent>({ countMax: 16 }))

/** Finds the content of a broadcast. Takes an app or one of its units of work, because both have the same `jobs`. */
export async function findBroadcastContent(
  { db, jobs }: Pick<App, 'db' | 'jobs'>,
  teamId: string,
  id: string,
): Promise<BroadcastContent> {
  const kept = keptOf(jobs)
  const key = `${teamId} ${id}`
  const known = kept.get(key)
  if (known) return known
  const content = await readContent(db, teamId, id)
  kept.set(key, content)
  return content
}

async function readContent(db: Db, teamId: string, id: string): Promise<BroadcastContent> {
  const { html, text, audienceId, domainName } = await db
    .selectFrom('email_letters as letter')
    .innerJoin('broadcasts as broadcast', (join) =>
      join.onRef('broadcast.team_id', '=', 'letter.team_id').onRef('broadcast.id', '=', 'letter.id'),
    )
    .select(['letter.html', 'letter.text', 'broadcast.domain_name as domainName'])
    .select((of) => of.fn.coalesce('broadcast.topic_id', 'broadcast.segment_id').as('audienceId'))
    .where('letter.team_id', '=', teamId)
    .where('letter.id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    html: html === null ? null : compileText(html, { escape: 'html' }),
    text: text === null ? null : compileText(text, { escape: 'text' }),
    headers: listHeaders({ teamId, broadcastId: id, audienceId, domainName }),
  }
}
