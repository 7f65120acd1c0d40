import type { FastifyReply, FastifyRequest } from 'fastify'
import { findPersonOf } from '../api-keys/creator.ts'
import type { App, Caller } from '../context.ts'
import { hubOf } from '../live/hub.ts'
import { type EventStream, openEventStream, type StreamKind } from '../platform/http/event-stream.ts'
import type { EventType } from '../webhooks/event-types.ts'
import { entryIdOf, type Place, placeBefore, placeOf } from './entry-id.ts'
import { type Signer, signedDeliveries, signingSecretOf } from './formats.ts'
import { findLastRemoved, keptSince, refuseExpired } from './kept.ts'
import { type FeedPage, findHorizon, readFeed } from './read.ts'
import type { FeedStreamQuery } from './schema.ts'
import { typesOf } from './types-of.ts'

const kind: StreamKind = { noun: 'streams of the feed', ofTeamMax: 20, heartbeatMs: 15_000 }

/** A page of a stream. Signed, it is three times as long, which must be less than a reader may be behind. */
const pageMax = 100
const pageMaxBytes = 128 * 1024
/** While something happens, the feed is read this often: hints may come before the events can be shown. */
const lookAgainMs = 100
const busyMs = 2000
/** Otherwise a hint wakes the reader. This is how long one that was lost delays the feed. */
const pollMs = 2000

type Reading = { app: App; teamId: string; types: readonly EventType[]; signer: Signer | null; stream: EventStream }
type Asked = { app: App; caller: Caller; query: FeedStreamQuery; request: FastifyRequest; reply: FastifyReply }

/**
 * Opens the stream: first `ready`, whose id is the place from which it goes on, then the entries. Begins at present
 * unless the request names an entry. Throws `invalid`, and `unavailable` if too many streams are open.
 */
export async function streamFeed({ app, caller, query, request, reply }: Asked): Promise<void> {
  const types = typesOf(query.types)
  const asked = placeAsked(request, query)
  const from = asked ?? (await findPresent(app, caller.teamId))
  if (asked) await refuseExpired(app.db, caller.teamId, asked, keptSince(app.clock.now()))
  const personId = await findPersonOf(app.db, caller)
  const stream = openEventStream({ kind, app, caller, personId, request, reply })
  const secret = query.signed ? signingSecretOf(app, caller) : null
  const signer = secret === null ? null : { teamId: caller.teamId, secret, format: query.format ?? 'posthorn' }
  stream.send({ id: entryIdOf(from), type: 'ready', data: signer ? { signingSecret: signer.secret } : {} })
  void follow({ app, teamId: caller.teamId, types, signer, stream }, from)
}

async function findPresent(app: App, teamId: string): Promise<Place> {
  const known = await findLastRemoved(app.db, teamId)
  return { ...placeBefore(await findHorizon(app.db)), known }
}

/** A reader that comes back names the last entry in a header, and its URL still says where it began. */
function placeAsked(request: FastifyRequest, { after }: FeedStreamQuery): Place | null {
  const last = request.headers['last-event-id']
  if (typeof last === 'string' && last !== '') return placeOf('Last-Event-ID', last)
  return after === undefined ? null : placeOf('after', after)
}

async function follow({ app, teamId, types, signer, stream }: Reading, from: Place): Promise<void> {
  const alarm = createAlarm(app, teamId, stream)
  let after = from
  try {
    while (!alarm.isOver()) {
      const asked = { teamId, after, types, limit: pageMax, contentMaxBytes: pageMaxBytes }
      const page = await readFeed(app.db, asked)
      // The reader comes back, and is told.
      if (page.isMissing) return stream.end()
      await send(page)
      if (page.end !== after) noteReached(page)
      after = page.end
      if (page.entries.length > 0) alarm.noteBusy()
      await stream.drained()
      if (!page.hasMore) await alarm.wait()
    }
  } catch (error) {
    // The reader comes back and goes on behind the last entry that it got.
    app.log.warn({ err: error }, 'a stream of the feed ended')
    stream.end()
  }

  async function send({ entries }: FeedPage): Promise<void> {
    const signed = signer && (await signedDeliveries(app, signer, entries))
    for (const [index, { entry }] of entries.entries()) {
      stream.send({ id: entry.id, type: entry.type, data: { ...entry, ...signed?.[index] } })
    }
  }

  /** A reader of few types would otherwise come back to an entry that is not kept any more, and be refused. */
  function noteReached({ entries, end }: FeedPage): void {
    const id = entryIdOf(end)
    if (entries.at(-1)?.entry.id !== id) stream.reached(id)
  }
}

/** Wakes a reader when an email of the team has news, and by the time. */
function createAlarm(app: App, teamId: string, stream: EventStream) {
  let isOver = false
  let busyUntil = 0
  let isCalled = false
  let wake = () => {}
  const noteBusy = () => {
    busyUntil = performance.now() + busyMs
  }
  const ring = () => {
    isCalled = true
    wake()
  }
  const stop = hubOf(app.jobs).listen({
    teamIds: [teamId],
    hear({ emails }) {
      if (!emails) return
      noteBusy()
      ring()
    },
  })
  stream.onEnd(() => {
    isOver = true
    stop()
    ring()
  })
  return {
    isOver: () => isOver,
    noteBusy,
    async wait() {
      if (!isCalled) {
        const waitMs = performance.now() < busyUntil ? lookAgainMs : pollMs
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs).unref()
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isCalled = false
    },
  }
}
