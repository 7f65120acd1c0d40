import { setTimeout as sleep } from 'node:timers/promises'
import { walBytes } from './email-cost.ts'
import { withPeakMemory } from './peak-memory.ts'
import { cpuSeconds } from './processes.ts'
import type { Sink } from './start-sink.ts'
import { callApi, type Parts } from './with-posthorn.ts'

export type Broadcast = { id: string; status: string }
export type Stats = { sent: number; skipped: { unsubscribed: number; suppressed: number; notOptedIn: number } }

export type Sent = {
  /** Emails a second, from the request to send until the broadcast is sent and all of it recorded. */
  perSecond: number
  /** From that request to the first message at the sink. */
  firstMs: number
  /** The server and its database. */
  peakMiB: number
  /** Processor time an email: the server's, its database's, the sink's. */
  micros: [number, number, number]
  /** Octets of WAL an email. */
  walBytes: number
}

const pollMs = 5
/** Far below the rate of any machine. */
const perSecondMin = 50
const graceMs = 30_000

/** Sends a draft to `count` contacts, and checks that each of them received it once. */
export async function sendBroadcast(parts: Parts, sink: Sink, id: string, count: number): Promise<Sent> {
  const pid = parts.posthorn.pid
  const deadline = performance.now() + graceMs + (count / perSecondMin) * 1000
  const [taken, before, wal] = [await sink.taken(), await processorTimes(pid, sink), await walBytes(parts.database)]
  const { made, peakMiB } = await withPeakMemory(pid, async () => {
    const started = performance.now()
    await callApi(parts, 'POST', `/v1/broadcasts/${id}/send`)
    const arrived = async () => (await sink.taken()) - taken
    await until(deadline, pollMs, async () => (await arrived()) > 0)
    const firstMs = performance.now() - started
    await until(deadline, pollMs * 10, async () => (await arrived()) >= count)
    await untilSent(parts, id, deadline)
    return { firstMs, perSecond: (count / (performance.now() - started)) * 1000 }
  })
  const after = await processorTimes(pid, sink)
  const [arrived, stats] = [(await sink.taken()) - taken, await statsOf(parts, id)]
  if (arrived !== count || stats.sent !== count)
    throw new Error(`A broadcast to ${count} contacts says ${stats.sent} were sent; ${arrived} arrived.`)
  const micros = after.map((seconds, part) => ((seconds - before[part]!) / count) * 1e6) as Sent['micros']
  return { ...made, peakMiB, micros, walBytes: ((await walBytes(parts.database)) - wal) / count }
}

export async function untilSent(parts: Parts, id: string, deadline: number): Promise<void> {
  const path = `/v1/broadcasts/${id}`
  await until(deadline, pollMs, async () => (await callApi<Broadcast>(parts, 'GET', path)).status === 'sent')
}

export function statsOf(parts: Parts, id: string): Promise<Stats> {
  return callApi<Stats>(parts, 'GET', `/v1/broadcasts/${id}/stats`)
}

/** Polls until `isSo` is true. Throws after the deadline. */
export async function until(deadline: number, everyMs: number, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('A broadcast did not end within its time.')
    await sleep(everyMs)
  }
}

async function processorTimes(pid: number, sink: Sink): Promise<number[]> {
  const { own, below } = await cpuSeconds(pid)
  return [own, below, (await cpuSeconds(sink.pid)).own]
}
