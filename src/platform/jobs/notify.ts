import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const channel = 'posthorn_jobs'
const coalesceMs = 20

/** Tells workers in other processes that there is work: at most one message in 20 ms, outside any transaction, since a NOTIFY inside one makes commits queue. */
export function createNotifier(pool: pg.Pool): () => void {
  let pending = false
  return () => {
    if (pending) return
    pending = true
    setTimeout(() => {
      pending = false
      // A lost message costs one sweep of a second, no more.
      pool.query(`notify ${channel}`).catch(() => undefined)
    }, coalesceMs)
  }
}

const reconnectMs = 1000

/**
 * Calls `onWork` when another process says there is work; reconnects by itself, one attempt at a time, and the sweep covers
 * what is missed meanwhile.
 */
export function listenForWork(
  config: pg.ClientConfig,
  onWork: () => void,
  pauseMs = reconnectMs,
): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let closed = false
  async function listen(): Promise<void> {
    while (!closed) {
      client = new pg.Client({ ...config, application_name: 'posthorn-listen' })
      await listenUntilLost(client, onWork)
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

/** Ends when the connection does, or when there was none. */
async function listenUntilLost(client: pg.Client, onWork: () => void): Promise<void> {
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('notification', onWork)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
  } catch {
    await client.end().catch(() => undefined)
    return
  }
  await lost
}
