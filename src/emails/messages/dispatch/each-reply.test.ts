import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { slowTest } from '../../../../test/slow.ts'
import { smtpProvider } from '../../providers/smtp.ts'
import { type Script, startScriptedServer } from '../../smtp-client/fixtures/scripted-server.ts'

// The table of `docs/decisions/hand-over.md`, "What each point of a transaction leads to".

type Told = { status: string; events: string[]; copiesLater: number }
/** `isLost`: the connection is lost after the final dot too. */
type Row = { name: string; point: string; reply: string | 'cut'; isForOne?: boolean; isLost?: boolean; leadsTo: Told }

const waits: Told = { status: 'delayed', events: ['delivery_delayed', 'sent'], copiesLater: 1 }
const bounced: Told = { status: 'bounced', events: ['bounced', 'bounced'], copiesLater: 0 }
const unknown: Told = { status: 'sent', events: ['outcome_unknown', 'sent'], copiesLater: 1 }

const rows: Row[] = [
  ...['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'].flatMap((point): Row[] => [
    { name: `the connection is lost at ${point}`, point, reply: 'cut', leadsTo: waits },
    { name: `421 at ${point}`, point, reply: '421 4.3.2 later\r\n', leadsTo: waits },
  ]),
  { name: 'the connection is lost after the final dot', point: 'END', reply: 'cut', leadsTo: unknown },
  ...['MAIL', 'RCPT', 'DATA', 'END'].flatMap((point): Row[] => [
    { name: `4yz to ${point}`, point, reply: '451 4.7.1 later\r\n', leadsTo: waits },
    { name: `5yz to ${point}`, point, reply: '554 5.6.0 never\r\n', leadsTo: bounced },
  ]),
  ...['500', '502', '503 5.5.1', '504 5.5.2', '530 5.7.0', '535', '538'].flatMap((code) =>
    ['MAIL', 'RCPT', 'DATA', 'END'].map((point): Row => {
      return { name: `${code} to ${point}`, point, reply: `${code} not so\r\n`, leadsTo: waits }
    }),
  ),
  { name: '554 in place of a greeting', point: 'CONNECT', reply: '554 5.3.2 no service\r\n', leadsTo: waits },
  {
    name: '4yz to one of two recipients',
    point: 'RCPT',
    reply: '450 4.2.0 later\r\n',
    isForOne: true,
    leadsTo: { status: 'sent', events: ['delivery_delayed', 'sent'], copiesLater: 1 },
  },
  {
    name: '503 to one of two recipients',
    point: 'RCPT',
    reply: '503 5.5.1 not so\r\n',
    isForOne: true,
    leadsTo: { status: 'sent', events: ['delivery_delayed', 'sent'], copiesLater: 1 },
  },
  {
    name: '5yz to one of two recipients',
    point: 'RCPT',
    reply: '550 5.1.1 unknown\r\n',
    isForOne: true,
    leadsTo: { status: 'sent', events: ['bounced', 'sent'], copiesLater: 0 },
  },
  {
    name: '5yz to one of two recipients, and the connection is lost after the final dot',
    ...{ point: 'RCPT', reply: '550 5.1.1 unknown\r\n', isForOne: true, isLost: true },
    leadsTo: { status: 'sent', events: ['bounced', 'outcome_unknown', 'sent'], copiesLater: 1 },
  },
  {
    name: '4yz to one of two recipients, and the connection is lost after the final dot',
    ...{ point: 'RCPT', reply: '450 4.2.0 later\r\n', isForOne: true, isLost: true },
    leadsTo: { status: 'sent', events: ['delivery_delayed', 'outcome_unknown', 'sent'], copiesLater: 1 },
  },
  {
    name: '250 to the end',
    point: 'END',
    reply: '250 ok\r\n',
    leadsTo: { ...unknown, events: ['sent'], copiesLater: 0 },
  },
]

let script: Script = () => undefined
const server = await startScriptedServer((...asked) => script(...asked))
after(() => server[Symbol.asyncDispose]())
// A connection for each message, so that a row begins with a greeting.
const provider = smtpProvider({
  url: `smtp://127.0.0.1:${server.port}`,
  localName: 'posthorn.test',
  pool: { connectionsMax: 1, idleMs: 0 },
})
const posthorn = await createTestApp({}, { emailProvider: provider })

/** Answers so at a point, with or without PIPELINING. `isForOne`: only of one recipient. */
function answering({ point, reply, isForOne, isLost }: Row, hasPipelining: boolean): Script {
  return (verb, socket, line) => {
    if (isLost && verb === 'END') return cut(socket)
    const isHere = verb === point && !(isForOne && !line.includes('<second@'))
    if (!isHere) return verb === 'EHLO' && !hasPipelining ? '250 scripted\r\n' : undefined
    return reply === 'cut' ? cut(socket) : reply
  }
}

function cut(socket: Socket): null {
  socket.destroy()
  return null
}

for (const row of rows) {
  test(`${row.name}, with pipelining`, () => check(row, true))
  slowTest(`${row.name}, without pipelining`, () => check(row, false))
}

async function check(row: Row, hasPipelining: boolean): Promise<void> {
  // A team for each, since bounces suppress its recipients.
  const team = await posthorn.team()
  script = answering(row, hasPipelining)
  const body = { from: `a@${team.domain}`, to: ['first@b.test', 'second@b.test'], subject: 'x', text: 'y' }
  const { body: email } = await team.api.post('/v1/emails', body)
  const before = server.texts.length
  script = () => undefined
  await posthorn.runDueJobsAfter(5000)
  await posthorn.runDueJobsAfter(25 * 3_600_000)
  const { body: events } = await team.api.get(`/v1/emails/${email.id}/events`)
  const types = (events as { type: string }[]).map(({ type }) => type).sort()
  const told = { status: email.status, events: types, copiesLater: server.texts.length - before }
  assert.deepEqual(told, row.leadsTo)
}
