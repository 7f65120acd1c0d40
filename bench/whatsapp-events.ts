import { createHmac } from 'node:crypto'
import { bareEvents } from './bare-whatsapp.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { fillConversations, fillSent, makeBareWhatsapp, makeShop, type Tables } from './fill-whatsapp.ts'
import { latency, perSecond } from './format.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { inTurns, median } from './statistics.ts'
import { verifyWhatsapp } from './verify-whatsapp.ts'
import { eventOf, sentFor, type WhatsappEvent } from './whatsapp-traffic.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const secret = 'what the provider signs with'
/** The settings with which Posthorn takes events that are signed as here. */
export const eventSettings = { WHATSAPP_WEBHOOK_SECRET: secret }
const single = { events: 1, clients: 32 }
export const bulk = { events: 100, clients: 8 }
/** The number of events a second for which messages are sent beforehand. */
export const perSecondMax = 60_000

/** Row 15: events that a provider posts to the signed endpoint, one and a hundred a call. */
export const whatsappEvents: Workload = {
  name: 'whatsapp-events',
  run: (options) => withPosthorn(eventSettings, single.clients, (parts) => measure(options, parts)),
}

type Calls = { events: number; clients: number }
type Side = { tables: Tables; tell(events: WhatsappEvent[]): Promise<void>; told: number; sent: number }

async function measure({ rounds, seconds, say }: Options, parts: Parts): Promise<Result[]> {
  const { database, posthorn } = parts
  const shop = await makeShop(parts)
  await makeBareWhatsapp(database)
  const ours: Side = { tables: '', tell: (events) => postEvents(parts, events), told: 0, sent: 0 }
  const bare: Side = { tables: 'bare_', tell: (events) => bareEvents(database, shop, events), told: 0, sent: 0 }
  for (const { tables } of [ours, bare]) await fillConversations(database, tables, shop)

  /** Measures events a second of one side, and the latencies of its calls. */
  const measured = (name: string, side: Side, calls: Calls, forSeconds: number) => async () => {
    const sent = sentFor(side.told + perSecondMax * forSeconds)
    if (sent > side.sent) await fillSent(database, side.tables, shop, side.sent, sent)
    side.sent = Math.max(side.sent, sent)
    const [toldBefore, before] = [side.told, await cpuSeconds(posthorn.pid)]
    const load = await closedLoop(calls.clients, forSeconds, () => tellNext(side, calls.events))
    const after = await cpuSeconds(posthorn.pid)
    const each = (cpu: number) => `${((cpu * 1e6) / (side.told - toldBefore)).toFixed(0)} µs`
    const rate = load.perSecond * calls.events
    const spent = `server ${each(after.own - before.own)}, database ${each(after.below - before.below)} an event`
    say(`${name} ${perSecond(rate)}, ${latency(load)}; ${spent}`)
    return { ...load, perSecond: rate }
  }
  for (const side of [ours, bare]) await measured('warming up,', side, bulk, Math.min(seconds, 2))()
  const figures = await inTurns<string, Load>(rounds, {
    single: measured('one a call, ours', ours, single, seconds),
    singleBare: measured('one a call, bare', bare, single, seconds),
    bulk: measured(`${bulk.events} a call, ours`, ours, bulk, seconds),
    bulkBare: measured(`${bulk.events} a call, bare`, bare, bulk, seconds),
  })
  const memory = inMiB(await memoryMiB(posthorn.pid))
  for (const side of [ours, bare]) {
    await verifyWhatsapp(database, side.tables, shop, side)
    say(`${side.tables}whatsapp_… hold what the ${side.told} events tell, and nothing else`)
  }
  return [
    line('15a', 'WhatsApp events, one a call', single, { ours: figures.single!, bare: figures.singleBare!, memory }),
    line('15b', `${bulk.events} a call`, bulk, { ours: figures.bulk!, bare: figures.bulkBare!, memory }),
  ]
}

function tellNext(side: Side, count: number): Promise<void> {
  const first = side.told
  side.told += count
  if (sentFor(side.told) > side.sent)
    throw new Error(`It is faster than perSecondMax, which is ${perSecondMax}. Raise that.`)
  return side.tell(Array.from({ length: count }, (_, index) => eventOf(first + index)))
}

/** Posts events as a provider does: signed, and each event new. */
export async function postEvents({ http }: Parts, events: WhatsappEvent[]): Promise<void> {
  const body = JSON.stringify({ events })
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-signature': signature }
  const response = await http.request({ method: 'POST', path: '/v1/whatsapp/webhooks/inbound', headers, body })
  const answer = await response.body.text()
  if (response.statusCode !== 200 || JSON.parse(answer).processed !== events.length)
    throw new Error(`${events.length} events were answered with ${response.statusCode}: ${answer.slice(0, 200)}`)
}

type Figures = { ours: Load[]; bare: Load[]; memory: string }

function line(row: string, what: string, { clients }: Calls, { ours, bare, memory }: Figures): Result {
  const load = middle(ours)
  return {
    ...{ row, what: `${what}, ${clients} clients`, ours: perSecond(load.perSecond), latency: latency(load), memory },
    reference: `${perSecond(middle(bare).perSecond)} bare transactions`,
    ratio: median(ours.map((each, round) => each.perSecond / bare[round]!.perSecond)),
    ...{ target: 'as near as it gets', met: null },
  }
}
