import type { App, Db } from '../../context.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'
import { type CompiledText, compileText } from './compile.ts'

/** The parts of a broadcast's emails that are the same for all recipients. */
type Letter = {
  html: CompiledText | null
  text: CompiledText | null
  headers: Record<string, string>
}

/** The letter of a sending broadcast changes only when a person whom it names is erased, in whatever process. */
const keptForMs = 10_000

type Kept = { letter: Promise<Letter>; readAt: number }

/** Compiled letters in use, and those that are being read, for all that wait. Each takes at most a few megabytes. */
const keptOf = perApp((_: App['jobs']) => createLru<Kept>({ countMax: 16 }))

/**
 * Finds the letter of a broadcast, as it was at most 10 seconds before `now`. Takes an app or one of its units of
 * work, because both have the same `jobs`.
 */
export function findLetter(
  { db, jobs }: Pick<App, 'db' | 'jobs'>,
  now: Date,
  teamId: string,
  id: string,
): Promise<Letter> {
  const kept = keptOf(jobs)
  const key = `${teamId} ${id}`
  const known = kept.get(key)
  const readAt = now.getTime()
  if (known && readAt - known.readAt < keptForMs) return known.letter
  const reading: Kept = { letter: readLetter(db, teamId, id), readAt }
  kept.set(key, reading)
  reading.letter.catch(() => {
    if (kept.get(key) === reading) kept.delete(key)
  })
  return reading.letter
}

async function readLetter(db: Db, teamId: string, id: string): Promise<Letter> {
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

/**
 * The ids that the emails of a broadcast share. `audienceId` is that of the topic, or of the segment if there is no
 * topic.
 */
type Mailing = { teamId: string; broadcastId: string; audienceId: string; domainName: string }

/**
 * Returns the fields that say to which list a broadcast goes. Both ids are the same for all broadcasts to one audience.
 *
 * `List-Id` (RFC 2919) has no phrase, because names of segments are not for recipients. `Feedback-ID` is that of
 * Gmail's feedback loop: up to three identifiers, then one of 5 to 15 characters that stays the same for a sender.
 */
function listHeaders({ teamId, broadcastId, audienceId, domainName }: Mailing): Record<string, string> {
  return {
    'List-Id': `<${audienceId}.${domainName}>`,
    'Feedback-ID': `${broadcastId}:${audienceId}:broadcast:${senderId(teamId)}`,
  }
}

/** Returns the last group of the team's id: 12 digits, which are random and the same in both modes. */
function senderId(teamId: string): string {
  return teamId.slice(-12)
}
