import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../context.ts'
import { answerMaxMs, beginSession } from '../sql/begin-session.ts'

const channel = 'posthorn_jobs'
const coalesceMs = 20

/**
 * Tells workers in other processes that there is work, with at most one message in 20 ms. It is sent outside any
 * transaction, because a NOTIFY inside one makes commits wait for each other.
 */
export function createNotifier(db: Db): () => void {
  const statement = sql.raw(`notify ${channel}`)
  let isAsked = false
  let isSending = false
  async function send(): Promise<void> {
    isSending = true
    while (isAsked) {
      await sleep(coalesceMs)
      isAsked = false
      // If the message is lost, the other workers find the work with their next sweep.
      await statement.execute(db).catch(() => undefined)
    }
    isSending = false
  }
  return () => {
    isAsked = true
    if (!isSending) void send()
  }
}

/**
 * `pauseMs` passes before a lost connection is made again. A connection that was lost without a word, as at a firewall
 * that forgot it, looks like a quiet one: each `probeMs` it must answer within `answerMs`.
 */
type Waits = { pauseMs: number; probeMs: number; answerMs: number }

const usualWaits: Waits = { pauseMs: 1000, probeMs: 30_000, answerMs: answerMaxMs }

/**
 * Calls `onWork` when another process says there is work. The sweep finds what is missed while there is no connection.
 */
export function listenForWork(
  config: pg.ClientConfig,
  onWork: () => void,
  waits = usualWaits,
): { close(): Promise<void> } {
  return listenOn(config, channel, onWork, waits)
}

/**
 * Calls `onMessage` with the payload of each NOTIFY. Reconnects after the connection is lost, one attempt at a time.
 */
export function listenOn(
  config: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  { pauseMs, probeMs, answerMs } = usualWaits,
): { close(): Promise<void> } {
  // With `pipeline` the driver closes a connection that gives no answer in time.
  const bounds = { connectionTimeoutMillis: answerMs, query_timeout: answerMs, pipeline: true }
  let client: pg.Client | undefined
  let closed = false
  async function listen(): Promise<void> {
    while (!closed) {
      client = makeClient({ ...config, ...bounds, application_name: 'posthorn-listen' })
      if (client) await listenUntilLost(client, channel, onMessage, probeMs)
      await sleep(pauseMs, undefined, { ref: false })
    }
  }
  void listen()
  return {
    async close() {
      closed = true
      await client?.end().catch(() => undefined)
    },
  }
}

/** Undefined while a file of certificates that the settings name cannot be read, as at the moment of its renewal. */
function makeClient(config: pg.ClientConfig): pg.Client | undefined {
  try {
    return new pg.Client(config)
  } catch {
    return undefined
  }
}

/** Resolves when the connection ends or could not be made. */
async function listenUntilLost(
  client: pg.Client,
  channel: string,
  onMessage: (payload: string) => void,
  probeMs: number,
): Promise<void> {
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('notification', ({ payload = '' }) => onMessage(payload))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await beginSession(client)
    await client.query(`listen ${channel}`)
  } catch {
    await client.end().catch(() => undefined)
    return
  }
  const probing = setInterval(() => client.query('select 1').catch(() => undefined), probeMs).unref()
  await lost
  clearInterval(probing)
}
