import { sql } from 'kysely'
import type pg from 'pg'
import type { App } from '../context.ts'
import { listOf, objectOf, readForeignJson } from '../platform/http/body/read-foreign-json.ts'
import { listenOn } from '../platform/jobs/notify.ts'
import { perApp } from '../platform/per-app.ts'
import type { Waiting } from './hint.ts'
import { hubOf } from './hub.ts'

const channel = 'posthorn_live'
/** PostgreSQL takes payloads of less than 8,000 bytes. */
const payloadMaxChars = 7500

/** `from` is the process that tells it. */
type Told = { from: string; hints: [teamId: string, noun: string, ids: string[]][] }

const processOf = perApp((app: App) => app.newId())

/**
 * Tells the other processes on the database what changes here. The messages are sent outside any transaction, because a
 * NOTIFY inside one makes commits wait for each other. A lost one is a hint that is missed.
 */
export function tellOtherProcesses(app: App): void {
  hubOf(app.jobs).tellOthers((untold) => {
    const payloads = payloadsOf(processOf(app), untold)
    sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`
      .execute(app.db)
      .catch(() => undefined)
  })
}

/** Hears what changes in other processes. */
export function listenForHints(config: pg.ClientConfig, app: App): { close(): Promise<void> } {
  return listenOn(config, channel, (payload) => {
    const told = readTold(payload)
    if (!told || told.from === processOf(app)) return
    for (const [teamId, noun, ids] of told.hints) hubOf(app.jobs).takeIn(teamId, noun, ids)
  })
}

/** Null for what no process of this version writes: everyone who can connect to the database may notify a channel. */
function readTold(payload: string): Told | null {
  const { from, hints } = objectOf(readForeignJson(payload))
  return typeof from === 'string' && Array.isArray(hints) && hints.every(isHint) ? { from, hints } : null
}

function isHint(hint: unknown): hint is Told['hints'][number] {
  const [teamId, noun, ids] = listOf(hint)
  return [teamId, noun, ...listOf(ids)].every((text) => typeof text === 'string') && Array.isArray(ids)
}

function payloadsOf(from: string, untold: Waiting): string[] {
  const all = [...untold].flatMap(([teamId, nouns]) =>
    [...nouns].map(([noun, ids]): Told['hints'][number] => [teamId, noun, [...(ids ?? [])]]),
  )
  const payloads: string[] = []
  let hints: Told['hints'] = []
  let size = 0
  for (const hint of all) {
    const length = JSON.stringify(hint).length + 1
    if (size + length > payloadMaxChars && hints.length > 0) {
      payloads.push(JSON.stringify({ from, hints } satisfies Told))
      hints = []
      size = 0
    }
    hints.push(hint)
    size += length
  }
  return [...payloads, JSON.stringify({ from, hints } satisfies Told)]
}
