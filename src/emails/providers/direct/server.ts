import type { Clock } from '../../../platform/clock.ts'
import { createSpread } from '../../../platform/limits/spread.ts'
import type { Diagnosis } from '../../notification.ts'
import type { Envelope } from '../../smtp-client/envelope.ts'
import type { Failure } from '../../smtp-client/failure.ts'
import { createPool, type Pool } from '../../smtp-client/pool.ts'
import type { TransactionResult } from '../../smtp-client/transaction.ts'
import { createServerAppointments } from './appointments.ts'
import { createBreaker } from './breaker.ts'
import { describeFailure } from './describe-failure.ts'
import { createSilence } from './silence.ts'

/** Side by side to one address; receivers that count allow more, and those that do not are spared by it. */
const connectionsMax = 5
/** A server that says nothing for so long gets few places, so that many such servers leave some for others' mail. */
const silentMs = 10_000
const connectionsToSilentMax = 2
const messagesPerConnectionMax = 100
/** Receivers dislike idle connections, and thousands of servers may have one each. */
const idleMs = 5000
/** For every name and kind of TLS one; more of them only while they have connections. */
const poolsKeptMax = 4
/** While one message tries a server that was down. */
const trialMs = 5000
/** Those who wait for a rest or a trial to end come one after the other within this. */
const restSpreadMs = 60_000
/** Where TLS is only wished for and does not work, it is tried again after this. */
const plainMs = 10 * 60_000
/** RFC 5321 4.5.3.2: a server is given its 10 minutes after the final dot, since giving up earlier sends it twice. */
const timeouts = { connectMs: 15_000, greetingMs: 60_000, commandMs: 120_000, dataFinalMs: 600_000 }
const closeMs = 2000

export type ServerOptions = { address: string; port: number; localName: string; clock: Clock }

export type Place =
  /** `leave` once. */
  | { kind: 'taken'; leave(): void }
  | { kind: 'full'; until: number }
  /** After failures, or while one message tries how it is by now; `because` is the last failure. */
  | { kind: 'resting'; until: number; because: Diagnosis | null }

/** One receiving address: how many may talk to it, whether it is well, and its open connections. */
export type Server = {
  takePlace(): Place
  /** For who has a place. `name` is the MX host's, which `enforced` wants the certificate to be valid for. */
  send(name: string, tls: 'opportunistic' | 'enforced', envelope: Envelope, raw: Buffer): Promise<TransactionResult>
  /** Nobody has a place. */
  isFree(): boolean
  close(): Promise<void>
}

type Mode = 'opportunistic' | 'required' | 'none'

export function createServer({ address, port, localName, clock }: ServerOptions): Server {
  const breaker = createBreaker()
  const appointments = createServerAppointments(connectionsMax)
  const silence = createSilence(silentMs)
  const spread = createSpread(restSpreadMs)
  const pools = new Map<string, Pool>()
  let taken = 0
  let plainUntil = 0
  let lastFailure: Diagnosis | null = null

  function takeOne(): () => void {
    const start = performance.now()
    taken++
    return () => {
      taken--
      appointments.note(performance.now() - start, clock.now().getTime())
    }
  }

  function poolOf(name: string, mode: Mode): Pool {
    const key = `${mode} ${name}`
    const known = pools.get(key)
    if (known) return known
    const tls = { tls: mode, verify: mode === 'required', serverName: name }
    const pool = createPool({
      ...{ host: address, port, localName, timeouts, ...tls },
      ...{ connectionsMax, messagesPerConnectionMax, idleMs, closeMs },
    })
    pools.set(key, pool)
    return pool
  }

  /** One server may go by many names: those without a connection are forgotten. */
  function prunePools() {
    if (pools.size <= poolsKeptMax) return
    for (const [key, pool] of pools) {
      const { open, waiting } = pool.counters()
      if (open + waiting === 0) pools.delete(key)
    }
  }

  async function sendBy(name: string, tls: 'opportunistic' | 'enforced', envelope: Envelope, raw: Buffer) {
    if (tls === 'enforced') return poolOf(name, 'required').send(envelope, raw)
    if (plainUntil > clock.now().getTime()) return poolOf(name, 'none').send(envelope, raw)
    const result = await poolOf(name, 'opportunistic').send(envelope, raw)
    if (result.failure?.phase !== 'tls') return result
    plainUntil = clock.now().getTime() + plainMs
    return poolOf(name, 'none').send(envelope, raw)
  }

  function note(name: string, failure: Failure | null) {
    if (failure && aboutTheServer.has(failure.phase)) {
      lastFailure = describeFailure({ name, address }, failure)
      breaker.failed(clock.now().getTime())
    } else if (failure?.phase !== 'queue') breaker.succeeded()
  }

  return {
    takePlace() {
      const now = clock.now().getTime()
      const restsUntil = breaker.restsUntil(now)
      if (restsUntil) return { kind: 'resting', until: spread(restsUntil), because: lastFailure }
      if (breaker.onTrial() && taken > 0) return { kind: 'resting', until: spread(now + trialMs), because: lastFailure }
      if (taken >= (silence.isLong(now) ? connectionsToSilentMax : connectionsMax))
        return { kind: 'full', until: appointments.next(now) }
      return { kind: 'taken', leave: takeOne() }
    },
    async send(name, tls, envelope, raw) {
      const heard = silence.begin(clock.now().getTime())
      const result = await sendBy(name, tls, envelope, raw)
      heard(clock.now().getTime())
      note(name, result.failure)
      prunePools()
      return result
    },
    isFree: () => taken === 0,
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}

/** What goes wrong later has to do with a message, or with one customer's wish for TLS. */
const aboutTheServer = new Set<Failure['phase']>(['connect', 'greeting', 'hello'])
