import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../errors.ts'
import { type ByteLease, createByteBudget, freeBytes } from '../../limits/byte-budget.ts'
import { networkOf } from '../../network/network.ts'
import type { Clock } from '../../time/clock.ts'
import { createPace, type Pace } from './pace.ts'
import { whenAnswered } from './when-answered.ts'

/** As for bodies: a team may hold three of the largest answers, and another team can still get one. */
const teamsSizeMax = 160 * 1024 * 1024
const strangersSizeMax = 32 * 1024 * 1024
/** A page of data that is read, the piece made of it, and the piece that is being written. */
const streamBytes = 6 * 1024 * 1024
const sliceBytes = 64 * 1024
/** A proxy and the kernel accept megabytes at once and then nothing for a while, although the client reads steadily. */
const paceBounds = { graceMs: 30_000, aheadMaxBytes: 90 * 1024 }

export type Answers = {
  /** Counts the bytes of an answer before it is loaded. Throws `unavailable` if the share is full. */
  reserve(request: FastifyRequest, reply: FastifyReply, sizeBytes: number): void
}

type Reservation = { lease: ByteLease; sizeBytes: number }

/**
 * Counts large answers until their clients have read them, and closes connections that read too slowly. An answer stays
 * in memory until then. Past its share, a team's reads are refused. The answer of a write that has happened is sent and
 * counted, and further writes are refused before they begin.
 */
export function boundAnswers(server: FastifyInstance, clock: Clock): Answers {
  const [teams, strangers] = [createByteBudget(teamsSizeMax), createByteBudget(strangersSizeMax)]
  const reservations = new WeakMap<FastifyRequest, Reservation>()
  const pace = createPace(clock, paceBounds)
  server.addHook('onClose', async () => pace.stop())

  function reservationOf(request: FastifyRequest, reply: FastifyReply): Reservation {
    const known = reservations.get(request)
    if (known) return known
    const { caller, ip } = request
    const lease = caller ? teams.lease(caller.teamId) : strangers.lease(networkOf(ip))
    const made = { lease, sizeBytes: 0 }
    reservations.set(request, made)
    whenAnswered(request, reply, () => lease.end())
    return made
  }

  function take(request: FastifyRequest, reply: FastifyReply, sizeBytes: number): void {
    const reservation = reservationOf(request, reply)
    const more = sizeBytes - reservation.sizeBytes
    if (more <= 0) return
    if (!reservation.lease.take(more)) {
      if (isRead(request)) throw tooMuchUnread()
      reservation.lease.hold(more)
    }
    reservation.sizeBytes = sizeBytes
  }

  server.addHook('preHandler', async (request) => {
    if (request.caller && !isRead(request) && teams.isOverfull(request.caller.teamId)) throw tooMuchUnread()
  })
  server.addHook('onSend', async (request, reply, payload) => {
    if (request.method === 'HEAD') return payload
    if (payload instanceof Readable) {
      try {
        take(request, reply, streamBytes)
      } catch (refusal) {
        payload.destroy()
        throw refusal
      }
      return paced(request, reply, pace, (count) => Readable.from(counted(payload, count), { highWaterMark: 1 }))
    }
    const sizeBytes = sizeOf(payload)
    if (sizeBytes <= freeBytes) return payload
    // Buffers that requests without a key get are made once and shared by all.
    if (request.caller || !Buffer.isBuffer(payload)) take(request, reply, sizeBytes)
    reply.header('content-length', sizeBytes)
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string)
    return paced(request, reply, pace, (count) => sliced(bytes, count))
  })

  return {
    reserve(request, reply, sizeBytes) {
      const reservation = reservationOf(request, reply)
      if (!reservation.lease.take(sizeBytes)) throw tooMuchUnread()
      reservation.sizeBytes += sizeBytes
    },
  }
}

function tooMuchUnread() {
  return unavailable(
    'Too many large answers are being read at once. Read those that were sent, then repeat this request.',
    2,
  )
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
}

type Count = (sizeBytes: number) => void

function paced(request: FastifyRequest, reply: FastifyReply, pace: Pace, open: (count: Count) => Readable): Readable {
  let moved = 0
  const endWatch = pace.watch(
    () => moved,
    () => request.raw.socket.destroy(),
  )
  whenAnswered(request, reply, endWatch)
  return open((sizeBytes) => {
    moved += sizeBytes
  })
}

/** Streams slices as the client reads them, which makes its speed visible. */
function sliced(bytes: Buffer, count: Count): Readable {
  let at = 0
  return new Readable({
    read() {
      const slice = bytes.subarray(at, at + sliceBytes)
      at += slice.length
      count(slice.length)
      this.push(slice.length > 0 ? slice : null)
    },
  })
}

async function* counted(pieces: Readable, count: Count): AsyncGenerator<string | Buffer> {
  for await (const piece of pieces) {
    count(Buffer.byteLength(piece))
    yield piece
  }
}
