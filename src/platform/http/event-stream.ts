import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Caller } from '../../context.ts'
import { unavailable } from '../errors.ts'
import { liveTeamOf } from '../mode.ts'
import { perApp } from '../per-app.ts'

/** So that proxies, which close silent connections after 30 s or more, keep it open. */
const heartbeatMs = 25_000
/** A stream whose caller may not read any more ends within five seconds. */
const recheckMs = 4000
/** A browser has one stream for all its tabs. */
const streamsOfTeamMax = 100
const streamsMax = 1000
/** A reader that is further behind is cut off. */
const behindMaxBytes = 1024 * 1024
/** Rechecks that run at once, each of which is one query. */
const rechecksAtOnce = 4

export type StreamedEvent = {
  /** The id that a reader that comes back names in `Last-Event-ID`. */
  id?: string
  data: unknown
}

export type EventStream = {
  /** Sends an event. A reader that is too far behind is cut off; a stream that has ended takes nothing. */
  send(event: StreamedEvent): void
  /** Runs when the reader has gone or the stream was ended. */
  onEnd(listener: () => void): void
}

type Reader = { app: App; caller: Caller; request: FastifyRequest; reply: FastifyReply }

type Open = { teamId: string; request: FastifyRequest; end(): void }

type Streams = { all: Set<Open>; sweep: NodeJS.Timeout | null }

const streamsOf = perApp((): Streams => ({ all: new Set(), sweep: null }))

/**
 * Answers with a stream of server-sent events, which stays open until the reader leaves, the caller may not read any more, or
 * the process stops. Its route `produces: 'text/event-stream'`. Throws `unavailable` if too many are open.
 */
export function openEventStream({ app, caller, request, reply }: Reader): EventStream {
  const streams = streamsOf(app)
  const teamId = liveTeamOf(caller.teamId)
  refuseTooMany(streams, teamId)
  reply.hijack()
  const { raw } = reply
  // `no` keeps nginx from holding events back.
  reply.headers({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  // A browser comes back a second after the stream has ended.
  raw.write('retry: 1000\n\n')
  const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs).unref()
  const open: Open = { teamId, request, end: () => raw.end() }
  streams.all.add(open)
  streams.sweep ??= setInterval(() => void recheckEventStreams(app), recheckMs).unref()
  raw.once('close', () => {
    clearInterval(heartbeat)
    streams.all.delete(open)
    if (streams.all.size > 0 || !streams.sweep) return
    clearInterval(streams.sweep)
    streams.sweep = null
  })
  return {
    send({ id, data }) {
      if (raw.writableEnded || raw.destroyed) return
      raw.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`)
      if (raw.writableLength > behindMaxBytes) raw.destroy()
    },
    onEnd: (listener) => void raw.once('close', listener),
  }
}

function refuseTooMany({ all }: Streams, teamId: string): void {
  if (all.size >= streamsMax) throw unavailable('Too many event streams are open. Try again later.', 30)
  let ofTeam = 0
  for (const open of all) if (open.teamId === teamId) ofTeam++
  if (ofTeam >= streamsOfTeamMax) {
    throw unavailable(`The team has ${streamsOfTeamMax} event streams open. Close some of them first.`, 30)
  }
}

/** Ends the streams whose callers may not read any more: a key was revoked, a session ended, a member removed. */
export async function recheckEventStreams(app: App): Promise<void> {
  const waiting = [...streamsOf(app).all]
  const recheck = async () => {
    for (let open = waiting.pop(); open; open = waiting.pop()) {
      if (!(await open.request.server.isStillAdmitted(open.request))) open.end()
    }
  }
  await Promise.all(Array.from({ length: rechecksAtOnce }, recheck))
}

/** Ends all streams, since a process that stops waits for its requests. Their readers come back to another process. */
export function endEventStreams(app: App): void {
  for (const open of streamsOf(app).all) open.end()
}
