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

/** Calls `onWork` when another process says there is work; reconnects by itself, and the sweep covers what is missed meanwhile. */
export function listenForWork(config: pg.ClientConfig, onWork: () => void): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let closed = false
  async function open(): Promise<void> {
    if (closed) return
    const opened = new pg.Client({ ...config, application_name: 'posthorn-listen' })
    client = opened
    opened.on('notification', onWork)
    opened.on('error', () => undefined)
    opened.once('end', () => setTimeout(open, 1000).unref())
    await opened.connect().then(
      () => opened.query(`listen ${channel}`).catch(() => undefined),
      () => setTimeout(open, 1000).unref(),
    )
  }
  void open()
  return {
    async close() {
      closed = true
      await client?.end().catch(() => undefined)
    },
  }
}
