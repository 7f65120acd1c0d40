import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Caller } from '../../context.ts'
import { unavailable } from '../errors.ts'
import { liveTeamOf } from '../mode/mode.ts'
import { perApp } from '../per-app.ts'
import { boundUnread, type UnreadBytes } from './body/unread-bytes.ts'
import { whenAnswered } from './overload/when-answered.ts'

/** A stream whose caller may not read any more ends within five seconds. */
const recheckMs = 4000
/** A browser has one stream for all its tabs. One member cannot use up the team's streams. */
const streamsOfUserMax = 25
/** With all keys that a person has made, over all teams: one person cannot use up the streams of the process. */
const streamsOfPersonMax = 50
const streamsMax = 1000
/** A reader that is further behind is cut off. */
const behindMaxBytes = 1024 * 1024
/** All readers together. Hints are small, so only those that do not read are behind. */
const allBehindMaxBytes = 32 * 1024 * 1024
/**
 * A reader that has not taken the end of its stream by then is cut off, so that it does not hold up a process that
 * stops.
 */
const endMaxMs = 1000
/** Rechecks that run at once in a process, each of which is one query. */
const rechecksAtOnce = 4

/**
 * A kind of streams. `heartbeatMs` is the time between comments, so that proxies, which close silent connections after
 * 30 s or more, keep it open.
 */
export type StreamKind = { noun: string; ofTeamMax: number; heartbeatMs: number }

type StreamedEvent = {
  /** The id that a reader that comes back names in `Last-Event-ID`. */
  id?: string
  /** The type of the event; `message` if left out. */
  type?: string
  data: unknown
}

export type EventStream = {
  /** Sends an event. A reader that is too far behind is cut off; a stream that has ended takes nothing. */
  send(event: StreamedEvent): void
  /**
   * Notes how far the reader has come where nothing of it was sent. The next heartbeat tells it this id, without data,
   * so that it comes back there; an event with an id takes its place.
   */
  reached(id: string): void
  /** Waits until the reader has taken what was sent, or is gone, so that a long answer does not cut it off. */
  drained(): Promise<void>
  /** Ends the stream. The reader comes back. */
  end(): void
  /** Runs when the reader has gone or the stream was ended. */
  onEnd(listener: () => void): void
}

/** `personId` is the user, or the one who made the key; null if that is not known. */
type Reader = {
  kind: StreamKind
  app: App
  caller: Caller
  personId: string | null
  request: FastifyRequest
  reply: FastifyReply
}

type Open = {
  kind: StreamKind
  teamId: string
  userId: string | null
  personId: string | null
  request: FastifyRequest
  end(): void
}

/** `due` are the streams whose callers are to be identified again, `checking` is how many of them are at the moment. */
type Streams = { all: Set<Open>; due: Set<Open>; checking: number; sweep: NodeJS.Timeout | null; unread: UnreadBytes }

const streamsOf = perApp((): Streams => {
  return { all: new Set(), due: new Set(), checking: 0, sweep: null, unread: boundUnread(allBehindMaxBytes) }
})

/**
 * Answers with a stream of server-sent events, which stays open until the reader leaves, the caller may not read any
 * more, or the process stops. Its route `produces: 'text/event-stream'`. Throws `unavailable` if too many are open.
 */
export function openEventStream(reader: Reader): EventStream {
  const { app, request, reply } = reader
  const { raw } = reply
  const open = openOf(reader)
  refuseTooMany(streamsOf(app), open)
  const listeners = [keep(app, open)]
  reply.hijack()
  // `no` keeps nginx from holding events back.
  reply.headers({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  // A browser comes back a second after the stream has ended.
  raw.write('retry: 1000\n\n')
  let isOver = false
  const { unread } = streamsOf(app)
  const behind = { unreadBytes: () => raw.writableLength, cutOff: () => request.raw.socket.destroy() }
  listeners.push(() => unread.leave(behind))
  const write = (text: string) => {
    if (isOver || raw.writableEnded) return
    raw.write(text)
    if (raw.writableLength > behindMaxBytes) behind.cutOff()
    else unread.note(behind)
  }
  let reached: string | null = null
  const beat = () => {
    write(reached === null ? ':\n\n' : `:\nid: ${reached}\n\n`)
    reached = null
  }
  const heartbeat = setInterval(beat, reader.kind.heartbeatMs).unref()
  listeners.push(() => clearInterval(heartbeat))
  // Also for a reader that has gone already, and for one whose stream waits behind another answer of its connection.
  whenAnswered(request, reply, () => {
    isOver = true
    for (const listener of listeners) listener()
  })
  let resume = () => {}
  listeners.push(() => resume())
  return {
    send(event) {
      if (event.id !== undefined) reached = null
      write(textOf(event))
    },
    reached(id) {
      reached = id
    },
    async drained() {
      if (isOver || !raw.writableNeedDrain) return
      await new Promise<void>((resolve) => {
        resume = resolve
        raw.once('drain', resolve)
      })
    },
    end: open.end,
    onEnd: (listener) => void (isOver ? listener() : listeners.push(listener)),
  }
}

function textOf({ id, type, data }: StreamedEvent): string {
  const fields = { ...(id !== undefined && { id }), ...(type !== undefined && { event: type }) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return `${lines.join('')}data: ${JSON.stringify(data)}\n\n`
}

function openOf({ kind, caller, personId, request, reply }: Reader): Open {
  let isEnding = false
  function end() {
    if (isEnding) return
    isEnding = true
    reply.raw.end()
    const cut = setTimeout(() => request.raw.socket.destroy(), endMaxMs).unref()
    whenAnswered(request, reply, () => clearTimeout(cut))
  }
  const userId = caller.kind === 'user' ? caller.id : null
  return { kind, teamId: liveTeamOf(caller.teamId), userId, personId, request, end }
}

/** Adds an open stream to those of the process. Returns how to remove it. */
function keep(app: App, open: Open): () => void {
  const streams = streamsOf(app)
  streams.all.add(open)
  streams.sweep ??= setInterval(() => recheckEventStreams(app), recheckMs).unref()
  return () => {
    streams.all.delete(open)
    streams.due.delete(open)
    if (streams.all.size > 0 || !streams.sweep) return
    clearInterval(streams.sweep)
    streams.sweep = null
  }
}

function refuseTooMany({ all }: Streams, { kind, teamId, userId, personId }: Open): void {
  if (all.size >= streamsMax) throw unavailable('Too many event streams are open. Try again later.', 30)
  let [ofTeam, ofUser, ofPerson] = [0, 0, 0]
  for (const open of all) {
    if (open.teamId === teamId && open.kind === kind) ofTeam++
    if (userId !== null && open.userId === userId) ofUser++
    if (personId !== null && open.personId === personId) ofPerson++
  }
  if (ofUser >= streamsOfUserMax) {
    throw unavailable(`You have ${streamsOfUserMax} event streams open. Close some of them first.`, 30)
  }
  if (ofPerson >= streamsOfPersonMax) {
    const whose = userId === null ? 'The person who made this key has' : 'You have, with the keys that you made,'
    throw unavailable(`${whose} ${streamsOfPersonMax} event streams open. Close some of them first.`, 30)
  }
  if (ofTeam >= kind.ofTeamMax) {
    throw unavailable(`The team has ${kind.ofTeamMax} ${kind.noun} open. Close some of them first.`, 30)
  }
}

/**
 * Ends the streams whose callers may not read any more: a key was revoked, a session ended, a member removed. With a
 * caller, only the streams that a change by this caller can concern: its own and its team's. A stream that is due
 * already is not added again, so that many changes cost no more than one.
 */
export function recheckEventStreams(app: App, by?: Caller): void {
  const streams = streamsOf(app)
  const teamId = by && liveTeamOf(by.teamId)
  for (const open of streams.all) if (!by || open.teamId === teamId || open.userId === by.id) streams.due.add(open)
  const wanted = Math.min(rechecksAtOnce, streams.due.size)
  while (streams.checking < wanted) void recheckDue(streams)
}

async function recheckDue(streams: Streams): Promise<void> {
  streams.checking++
  for (const open of streams.due) {
    streams.due.delete(open)
    if (!(await open.request.server.isStillAdmitted(open.request))) open.end()
  }
  streams.checking--
}

/** Ends all streams, since a process that stops waits for its requests. Their readers come back to another process. */
export function endEventStreams(app: App): void {
  for (const open of streamsOf(app).all) open.end()
}
