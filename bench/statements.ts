import pg from 'pg'
import { fillContacts } from './fill-contacts.ts'
import { formatTable } from './print-table.ts'
import { freePort } from './start-posthorn.ts'
import { relayTo, startSink } from './start-sink.ts'
import { type Roads, roads } from './statement-roads.ts'
import { asSuperuser, countStatements, prepareStatistics, type Statement } from './statement-statistics.ts'
import { eventSettings } from './whatsapp-events.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import { webhookSettings } from './work-off-deliveries.ts'
import { contacts } from './workflows.ts'
import type { Options } from './workload.ts'

export const workloadsWithStatements = Object.keys(roads)

const connections = 32
const shareMax = 0.25
const shownMax = 12
const textMax = 150

/**
 * Runs the roads of these workloads. Returns for each a table of its statements by their share of the database's time.
 */
export async function measureStatements(options: Options, names: string[]): Promise<string> {
  const emailSink = await startSink()
  const webhookSink = await startSink('webhook-sink.ts')
  const httpSink = await startSink('http-sink.ts')
  const smtpsPort = await freePort()
  const settings = { ...relayTo(emailSink), ...webhookSettings, ...eventSettings, SMTPS_PORT: String(smtpsPort) }
  const work = (parts: Parts) =>
    withSuperuser(parts, (database) =>
      measureRoads({ parts: { ...parts, database }, options, emailSink, webhookSink, httpSink, smtpsPort }, names),
    )
  try {
    return await withPosthorn(settings, connections, work, prepareStatistics)
  } finally {
    emailSink.stop()
    webhookSink.stop()
    httpSink.stop()
  }
}

/** The measuring process uses another role than the server, so that its own statements are not counted. */
async function withSuperuser<T>({ connection }: Parts, work: (database: pg.Pool) => Promise<T>): Promise<T> {
  const database = new pg.Pool({ ...asSuperuser(connection), max: 2 })
  return work(database).finally(() => database.end())
}

async function measureRoads(given: Roads, names: string[]): Promise<string> {
  const tables: string[] = []
  await fillContacts(given.parts.database, given.parts.teamId, 0, contacts)
  for (const { what, prepare } of names.flatMap((name) => roads[name]!)) {
    given.options.say(what)
    const run = await prepare(given)
    // Warms up the server.
    await run()
    const { made: items, statements } = await countStatements(given.parts.database, run)
    tables.push(describeRoad(what, items, statements))
  }
  return tables.join('\n\n')
}

function describeRoad(what: string, items: number, statements: Statement[]): string {
  const totalMs = sum(statements, 'ms')
  const rows = [...statements.slice(0, shownMax), ...rest(statements.slice(shownMax))].map(
    ({ text, calls, ms, planMs }) => [
      `${((ms / totalMs) * 100).toFixed(1)} %`,
      (calls / items).toFixed(3),
      ((ms / calls) * 1000).toFixed(0),
      ((planMs / calls) * 1000).toFixed(0),
      ((ms / items) * 1000).toFixed(1),
      cut(text),
    ],
  )
  const largest = Math.max(0, ...statements.map(({ ms }) => ms / totalMs))
  const verdict = largest <= shareMax ? 'within' : 'MORE THAN'
  return [
    `${what}: ${((totalMs / items) * 1000).toFixed(0)} µs in the database for each of ${items}`,
    formatTable(['share', 'calls', 'µs', 'planning', 'µs an item', 'statement'], rows),
    `The largest share is ${(largest * 100).toFixed(0)} %: ${verdict} the ${shareMax * 100} % allowed.`,
  ].join('\n\n')
}

/** The statements that are not shown, as one. */
function rest(others: Statement[]): Statement[] {
  if (others.length === 0) return []
  const [calls, ms, planMs] = [sum(others, 'calls'), sum(others, 'ms'), sum(others, 'planMs')]
  return [{ text: `${others.length} others`, calls, ms, planMs }]
}

function sum(statements: Statement[], figure: 'calls' | 'ms' | 'planMs'): number {
  return statements.reduce((total, statement) => total + statement[figure], 0)
}

/** Returns a text that a Markdown table can hold. */
function cut(text: string): string {
  const line = text.replaceAll('|', '\\|')
  return line.length > textMax ? `${line.slice(0, textMax - 1)}…` : line
}
