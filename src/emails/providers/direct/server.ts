import { createSpread } from '../../../platform/limits/spread.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Diagnosis } from '../../notification.ts'
import type { OutboundMessage } from '../../provider.ts'
import type { Envelope } from '../../smtp-client/envelope.ts'
import type { Failure } from '../../smtp-client/failure.ts'
import { createPace } from '../../smtp-client/pace.ts'
import { createPool, type Pool } from '../../smtp-client/pool.ts'
import type { TransactionResult } from '../../smtp-client/transaction.ts'
import { createServerAppointments } from './appointments.ts'
import { createBreaker } from './breaker.ts'
import { describeFailure } from './describe-failure.ts'
import { createSilence } from './silence.ts'

/** To one address. Receivers with a limit allow more, and the number protects receivers without one. */
const connectionsMax = 5
/**
 * A server that is silent for this long gets fewer connections, so that many silent servers do not delay other mail.
 */
const silentMs = 10_000
const connectionsToSilentMax = 2
const messagesPerConnectionMax = 100
/** Short, because receivers dislike idle connections and thousands of servers may have one each. */
const idleMs = 5000
/** There is one pool for each name and TLS mode. Past this number, pools without connections are removed. */
const poolsKeptMax = 4
/** The wait of other mail while one message tries a server that was down. */
const trialMs = 5000
/** Jobs that wait for a rest or a trial to end are spread over this time. */
const restSpreadMs = 60_000
/** If opportunistic TLS fails, it is tried again after this time. */
const plainMs = 10 * 60_000
/** RFC 5321 (4.5.3.2) allows 10 minutes after the final dot. Giving up earlier would send the message twice. */
const timeouts = { connectMs: 15_000, greetingMs: 60_000, commandMs: 120_000, dataFinalMs: 600_000 }
const closeMs = 2000

export type ServerOptions = { address: string; port: number; localName: string; clock: Clock }

type Place =
  /** Call `leave` once. */
  | { kind: 'taken'; leave(): void }
  | { kind: 'full'; until: number }
  /** The server rests after failures, or one message tries it. `because` is the last failure. */
  | { kind: 'resting'; until: number; because: Diagnosis | null }

type Sent = Pick<OutboundMessage, 'raw' | 'tls' | 'encodedFor'>

/** One receiving address with its limit of connections, its breaker and its open connections. */
export type Server = {
  takePlace(): Place
  /** Requires a taken place. `name` is the MX host's; with `tls` `enforced`, the certificate must be valid for it. */
  send(name: string, envelope: Envelope, message: Sent): Promise<TransactionResult>
  /** True if no place is taken. */
  isFree(): boolean
  close(): Promise<void>
}

type Mode = 'opportunistic' | 'required' | 'none'

export function createServer({ address, port, localName, clock }: ServerOptions): Server {
  const breaker = createBreaker()
  const appointments = createServerAppointments(connectionsMax)
  const silence = createSilence(silentMs)
  const spread = createSpread(restSpreadMs)
  const pace = createPace()
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
      host: address,
      port,
      localName,
      timeouts,
      ...tls,
      connectionsMax,
      messagesPerConnectionMax,
      idleMs,
      closeMs,
      pace,
    })
    pools.set(key, pool)
    return pool
  }

  /**
   * Ends idle connections of other pools that would exceed the limit beside those in use. One server may have a name
   * for each domain.
   */
  async function makeRoomFor(pool: Pool) {
    const others = [...pools.values()].filter((each) => each !== pool)
    for (;;) {
      const withIdle = others.filter((each) => each.counters().idle > 0)
      const idle = withIdle.reduce((sum, each) => sum + each.counters().idle, 0)
      if (taken + idle <= connectionsMax) return
      await withIdle[0]!.endOneIdle()
    }
  }

  /** Removes pools without connections, because one server may have many names. */
  function prunePools() {
    if (pools.size <= poolsKeptMax) return
    for (const [key, pool] of pools) {
      const { open, waiting } = pool.counters()
      if (open + waiting === 0) pools.delete(key)
    }
  }

  async function sendBy(name: string, envelope: Envelope, { raw, tls, encodedFor }: Sent) {
    const by = async (mode: Mode) => {
      const pool = poolOf(name, mode)
      await makeRoomFor(pool)
      return pool.send(envelope, raw, { ...(encodedFor && { encodedFor }) })
    }
    if (tls === 'enforced') return by('required')
    if (plainUntil > clock.now().getTime()) return by('none')
    const result = await by('opportunistic')
    if (result.failure?.phase !== 'tls') return result
    plainUntil = clock.now().getTime() + plainMs
    return by('none')
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
    async send(name, envelope, message) {
      const heard = silence.begin(clock.now().getTime())
      const result = await sendBy(name, envelope, message)
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

/** Failures of later phases concern one message, or the TLS setting of one customer. */
const aboutTheServer = new Set<Failure['phase']>(['connect', 'greeting', 'hello'])
