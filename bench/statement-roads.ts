import { closedLoop } from './closed-loop.ts'
import { emailPaths } from './email-reads.ts'
import { fillSegments } from './fill-contacts.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { fillSmsTeams } from './fill-sms.ts'
import { fillConversations, fillSent, makeShop } from './fill-whatsapp.ts'
import { read, readClients } from './measure-reads.ts'
import { broadcastContent } from './merge-message.ts'
import { postEmail } from './post-email.ts'
import { type Broadcast, sendBroadcast } from './send-broadcast.ts'
import { manyTeams, postSms } from './sms.ts'
import type { Sink } from './start-sink.ts'
import { submissionPool, submitEmail } from './submit-email.ts'
import { bulk, perSecondMax, postEvents } from './whatsapp-events.ts'
import { eventOf, sentFor } from './whatsapp-traffic.ts'
import { callApi, type Parts } from './with-posthorn.ts'
import { makeWebhook, workOffDeliveries } from './work-off-deliveries.ts'
import { contacts, inputOf, runAll, type Start, startAll, workSteps } from './workflows.ts'
import type { Options } from './workload.ts'

/** The team has `contacts` contacts. */
export type Roads = {
  parts: Parts
  options: Options
  emailSink: Sink
  webhookSink: Sink
  httpSink: Sink
  smtpsPort: number
}

/** Goes through some items and returns their number. */
type Run = () => Promise<number>

/** A way through the product. `prepare` makes what the run needs. */
export type Road = { what: string; prepare(roads: Roads): Promise<Run> }

const clients = 32

/** The roads by the name of the workload that measures them. */
export const roads: Record<string, Road[]> = {
  'send-email': [{ what: 'POST /v1/emails', prepare: async (given) => loop(given, clients, postOf(given)) }],
  'smtp-submission': [{ what: 'SMTP submission', prepare: submission }],
  broadcast: [{ what: 'an email of a broadcast', prepare: broadcastRoad }],
  webhooks: [{ what: 'a delivery to a webhook', prepare: delivery }],
  workflows: [{ what: 'an execution of five steps with effects', prepare: executionRoad }],
  sms: [{ what: 'POST /v1/sms, a hundred teams', prepare: smsRoad }],
  'whatsapp-events': [{ what: 'a WhatsApp event, a hundred a call', prepare: eventsRoad }],
  'list-emails': [
    { what: 'GET /v1/emails/{id}', prepare: readingById },
    { what: 'GET /v1/emails', prepare: async (given) => readingOf(given, () => '/v1/emails') },
  ],
}

function loop({ options }: Roads, callers: number, work: (turn: number) => Promise<void>): Run {
  return async () => (await closedLoop(callers, options.seconds, work)).count
}

function postOf({ parts: { http, posthorn } }: Roads) {
  return (turn: number) => postEmail(http, posthorn.key!, turn)
}

async function submission(given: Roads): Promise<Run> {
  const pool = submissionPool(given.smtpsPort, given.parts.posthorn.key!, clients)
  return loop(given, clients, (turn) => submitEmail(pool, turn))
}

async function broadcastRoad({ parts, options, emailSink }: Roads): Promise<Run> {
  const count = options.quick ? 500 : contacts
  const { id: segmentId } = await callApi<{ id: string }>(parts, 'POST', '/v1/segments', { name: 'All' })
  await fillSegments(parts.database, parts.teamId, [segmentId], 0, count)
  return async () => {
    const draft = { name: 'News', segmentId, ...broadcastContent }
    const { id } = await callApi<Broadcast>(parts, 'POST', '/v1/broadcasts', draft)
    await sendBroadcast(parts, emailSink, id, count)
    return count
  }
}

async function delivery({ parts, options, webhookSink }: Roads): Promise<Run> {
  const count = options.quick ? 1000 : 20_000
  const ids = [await makeWebhook(parts, webhookSink, '/hook')]
  return async () => {
    await workOffDeliveries(parts, webhookSink, ids, count)
    return count
  }
}

async function readingById(given: Roads): Promise<Run> {
  const { database, teamId } = given.parts
  await fillEmails(database, await findSandbox(database), 0, given.options.quick ? 1000 : 10_000)
  return readingOf(given, await emailPaths(database, teamId))
}

function readingOf(given: Roads, path: (turn: number) => string): Run {
  const { http, posthorn } = given.parts
  return loop(given, readClients, (turn) => read(http, posthorn.key!, path(turn)))
}

async function executionRoad({ parts, options, httpSink }: Roads): Promise<Run> {
  const count = options.quick ? 500 : 5000
  let run = 0
  return async () => {
    const start: Start = (workflow) => startAll(parts, workflow, count, () => inputOf(run++))
    await runAll({ ...parts, sink: httpSink }, workSteps(httpSink.port), count, start)
    return count
  }
}

async function smsRoad(given: Roads): Promise<Run> {
  const teams = await fillSmsTeams(given.parts.database, manyTeams)
  return loop(given, clients, (turn) => postSms(given.parts, teams[turn % manyTeams]!, turn))
}

async function eventsRoad({ parts, options }: Roads): Promise<Run> {
  const shop = await makeShop(parts)
  await fillConversations(parts.database, '', shop)
  let [told, sent] = [0, 0]
  return async () => {
    const wanted = sentFor(told + perSecondMax * options.seconds)
    await fillSent(parts.database, '', shop, sent, wanted)
    sent = wanted
    const { count } = await closedLoop(bulk.clients, options.seconds, () => {
      const first = told
      told += bulk.events
      return postEvents(
        parts,
        Array.from({ length: bulk.events }, (_, index) => eventOf(first + index)),
      )
    })
    return count * bulk.events
  }
}
