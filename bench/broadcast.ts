import { bareTransport } from './bare-send.ts'
import { closedLoop } from './closed-loop.ts'
import { measureFanOut } from './fan-out.ts'
import { fillContacts, fillSegments } from './fill-contacts.ts'
import { kilobytes, milliseconds, perSecond } from './format.ts'
import { broadcastContent, mergedMessage } from './merge-message.ts'
import { inMiB } from './processes.ts'
import { type Broadcast, type Sent, sendBroadcast } from './send-broadcast.ts'
import { relayTo, type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** The sends of the reference that wait for its pool of ten connections. */
const callers = 32
/** The factor that the peak of memory may grow by, from few contacts to many, and still count as flat. */
const growthMax = 1.25
/** Our rate divided by the reference's. */
const [unsignedMin, signingMin] = [1.5, 3]
/** The cost of one email. */
const [databaseMaxMicros, walMax] = [350, 4000]

/** Rows 3 and 4: a broadcast with merge fields to a sink, and the planning of one. */
export const broadcast: Workload = {
  name: 'broadcast',
  async run(options) {
    const sink = await startSink()
    try {
      return await withPosthorn(relayTo(sink), 4, async (parts) => [
        ...(await measureSending(options, parts, sink)),
        ...(await measureFanOut(options, parts)),
      ])
    } finally {
      sink.stop()
    }
  },
}

async function measureSending(options: Options, parts: Parts, sink: Sink): Promise<Result[]> {
  const { rounds, seconds, quick, say } = options
  const sizes = quick ? [200, 2000] : [1000, 10_000, 100_000]
  say(`filling up to ${sizes.at(-1)} contacts`)
  await fillContacts(parts.database, parts.teamId, 0, sizes.at(-1)!)
  const segments = new Map<number, string>()
  for (const size of sizes) segments.set(size, await makeSegment(parts, size))
  const sendTo = async (size: number) =>
    sendBroadcast(parts, sink, (await makeDraft(parts, segments.get(size)!)).id, size)
  const [plain, signed] = [bareLoop(options, sink, 'nodemailer', false), bareLoop(options, sink, 'signing', true)]
  // Warms up the server, so that all sizes are measured on a warm one.
  await sendTo(sizes[1]!)
  for (const { send } of [plain, signed]) await closedLoop(callers, Math.min(seconds, 2), send)
  const sent = new Map(sizes.map((size) => [size, [] as Sent[]]))
  const ours = async (size: number) => {
    const figures = await sendTo(size)
    sent.get(size)!.push(figures)
    const [rate, first, memory] = [perSecond(figures.perSecond), figures.firstMs, inMiB(figures.peakMiB)]
    const [server, database, taking] = figures.micros.map((micros) => micros.toFixed(0))
    say(`ours to ${size}: ${rate}, the first after ${milliseconds(first)}, peak ${memory}`)
    say(`  of the processor, in microseconds: server ${server}, database ${database}, sink ${taking}`)
    return figures.perSecond
  }
  const sides = Object.fromEntries(sizes.map((size) => [`to ${size}`, () => ours(size)]))
  const figures = await inTurns<string, number>(rounds, { ...sides, plain: plain.run, signed: signed.run })
  plain.close()
  signed.close()
  return results(sizes, sent, figures)
}

/** Makes a segment of the first `size` contacts. */
async function makeSegment(parts: Parts, size: number): Promise<string> {
  const { id } = await callApi<{ id: string }>(parts, 'POST', '/v1/segments', { name: `The first ${size}` })
  await fillSegments(parts.database, parts.teamId, [id], 0, size)
  return id
}

function makeDraft(parts: Parts, segmentId: string): Promise<Broadcast> {
  return callApi<Broadcast>(parts, 'POST', '/v1/broadcasts', { name: 'News', segmentId, ...broadcastContent })
}

function bareLoop({ seconds, say }: Options, sink: Sink, name: string, signs: boolean) {
  const transport = bareTransport(sink.port, { signs })
  const send = async (turn: number) => void (await transport.sendMail(mergedMessage(turn)))
  return {
    send,
    async run(): Promise<number> {
      const load = await closedLoop(callers, seconds, send)
      say(`${name} ${perSecond(load.perSecond)}`)
      return load.perSecond
    },
    close: () => transport.close(),
  }
}

function results(sizes: number[], sent: Map<number, Sent[]>, figures: Record<string, number[]>): Result[] {
  const { plain, signed } = figures as Record<'plain' | 'signed', number[]>
  const ratioTo = (size: number, others: number[]) =>
    median(figures[`to ${size}`]!.map((rate, round) => rate / others[round]!))
  const peakOf = (size: number) => median(sent.get(size)!.map(({ peakMiB }) => peakMiB))
  const [least, most] = [sizes[0]!, sizes.at(-1)!]
  const growth = peakOf(most) / peakOf(least)
  const lines = sizes.map((size): Result => {
    const [rounds, ratio, isTarget] = [sent.get(size)!, ratioTo(size, plain), size === most]
    const grown = isTarget ? ` (x ${growth.toFixed(2)})` : ''
    return {
      ...{ row: '3', what: `broadcast to ${size} contacts, merge fields, signed, send and store`, ratio },
      ours: perSecond(median(figures[`to ${size}`]!)),
      reference: `${perSecond(median(plain))} nodemailer, unsigned, nothing kept`,
      target: isTarget ? `>= ${unsignedMin}x, memory <= x ${growthMax}` : 'how it grows',
      met: isTarget ? ratio >= unsignedMin && growth <= growthMax : null,
      latency: `first after ${milliseconds(median(rounds.map(({ firstMs }) => firstMs)))}`,
      memory: `peak ${inMiB(peakOf(size))}${grown}`,
    }
  })
  const ratio = ratioTo(most, signed)
  const like: Result = {
    ...{ row: '3b', what: `the same to ${most}`, ours: perSecond(median(figures[`to ${most}`]!)), ratio },
    reference: `${perSecond(median(signed))} nodemailer signing`,
    ...{ target: `>= ${signingMin}x`, met: ratio >= signingMin },
  }
  return [...lines, like, ...costResults(sent.get(most)!)]
}

function costResults(sent: Sent[]): Result[] {
  const [micros, wal] = [median(sent.map(({ micros }) => micros[1])), median(sent.map(({ walBytes }) => walBytes))]
  const common = { reference: '', ratio: null }
  return [
    {
      ...{
        row: '3c',
        what: 'the same, processor time of the database',
        ours: `${micros.toFixed(0)} µs each`,
        ...common,
      },
      ...{ target: `<= ${databaseMaxMicros} µs`, met: micros <= databaseMaxMicros },
    },
    {
      ...{ row: '3d', what: 'the same, WAL', ours: `${kilobytes(wal)} each`, ...common },
      ...{ target: `<= ${kilobytes(walMax)}`, met: wal <= walMax },
    },
  ]
}
