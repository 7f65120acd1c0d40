import { Counter } from 'prom-client'
import type { App } from '../../context.ts'
import { registry } from '../log/metrics.ts'
import { perApp } from '../per-app.ts'
import { runOutside } from '../transaction/inside.ts'
import type { LoggedRequest } from './entry.ts'
import { writeRequests } from './write.ts'

/** Requests that wait to be written, about 5 MB. More are dropped, so that a slow database costs no memory. */
const waitingMax = 10_000
const batchMax = 1000
const everyMs = 1000
/** Refusals by the rate limit that a team's second may log: they are not limited themselves. */
const refusedMax = 100
/** How long the end of the process waits for the last batch. */
const stopMs = 2000

const rows = new Counter({
  name: 'posthorn_request_log_rows_total',
  help: 'Requests that the request log has written, or dropped because the database was slow or gone.',
  labelNames: ['outcome'],
  registers: [registry],
})

/** Adds a request to the next batch. Never waits, and never throws. */
export function noteRequest(app: App, request: LoggedRequest): void {
  logOf(app).note(request)
}

/** Writes the requests that wait at once, before somebody searches the log. */
export function writeRequestLog(app: App): Promise<void> {
  return logOf(app).write()
}

/** Writes the requests that wait, when the process ends. What the database does not take in two seconds is dropped. */
export function stopRequestLog(app: App): Promise<void> {
  return logOf(app).stop()
}

const logOf = perApp(createRequestLog)

function createRequestLog(app: App) {
  let waiting: LoggedRequest[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const refused = new Map<string, number>()

  /** Writes batch after batch, one at a time. A batch that fails is dropped. */
  async function writeAll(): Promise<void> {
    stopTimer()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      refused.clear()
      const outcome = await writeRequests(app, batch).then(
        () => 'written',
        (error) => {
          app.log.warn({ err: error, requests: batch.length }, 'the request log could not be written')
          return 'dropped'
        },
      )
      rows.inc({ outcome }, batch.length)
    }
  }

  function write(): Promise<void> {
    writing ??= runOutside(writeAll).finally(() => {
      writing = undefined
    })
    return writing
  }

  function stopTimer(): void {
    clearTimeout(timer)
    timer = undefined
  }

  /** The timer ends here even if a slow write goes on, so that the next request starts another. */
  function writeLater(): void {
    stopTimer()
    void write()
  }

  function isTooMany({ teamId, status }: LoggedRequest): boolean {
    if (waiting.length >= waitingMax) return true
    if (status !== 429) return false
    const count = (refused.get(teamId) ?? 0) + 1
    refused.set(teamId, count)
    return count > refusedMax
  }

  return {
    note(request: LoggedRequest): void {
      if (isTooMany(request)) {
        rows.inc({ outcome: 'dropped' })
        return
      }
      waiting.push(request)
      if (waiting.length >= batchMax) void write()
      else timer ??= setTimeout(writeLater, everyMs).unref()
    },
    write,
    async stop(): Promise<void> {
      const late = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref())
      await Promise.race([write(), late])
      if (waiting.length > 0) rows.inc({ outcome: 'dropped' }, waiting.length)
      waiting = []
    },
  }
}
