import { bareSend, fillBareTeams, makeBareTables } from './bare-sms.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { fillSmsTeams, type SmsTeam } from './fill-sms.ts'
import { latency, perSecond } from './format.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { inTurns, median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 32
export const manyTeams = 100
const ratioMin = 0.5
const body = 'Your code is 123456. It is valid for ten minutes.'

/**
 * Row 12: `POST /v1/sms` with credit, cap and limit exact, one hot team and a hundred, kept by the capture provider.
 */
export const sms: Workload = {
  name: 'sms',
  run: (options) => withPosthorn({}, clients, (parts) => measure(options, parts)),
}

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const { rounds, seconds, say } = options
  const many = await fillSmsTeams(parts.database, manyTeams)
  const one = many.slice(0, 1)
  await makeBareTables(parts.database)
  await fillBareTeams(
    parts.database,
    many.map(({ id }) => id),
  )
  const spent = { server: 0, database: 0, messages: 0 }
  const ours = (name: string, teams: SmsTeam[]) => async () => {
    const before = await cpuSeconds(parts.posthorn.pid)
    const load = await closedLoop(clients, seconds, (turn) => postSms(parts, teams[turn % teams.length]!, turn))
    const after = await cpuSeconds(parts.posthorn.pid)
    spent.server += (after.own - before.own) * 1e6
    spent.database += (after.below - before.below) * 1e6
    spent.messages += load.count
    say(`${name}, ours ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const bare = (name: string, teams: SmsTeam[]) => async () => {
    const load = await closedLoop(clients, seconds, (turn) =>
      bareSend(parts.database, teams[turn % teams.length]!.id, { to: numberOf(turn), body }),
    )
    say(`${name}, bare ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  await closedLoop(clients, Math.min(seconds, 2), (turn) => postSms(parts, many[turn % manyTeams]!, turn))
  const figures = await inTurns<string, Load>(rounds, {
    hot: ours('one team', one),
    hotBare: bare('one team', one),
    many: ours(`${manyTeams} teams`, many),
    manyBare: bare(`${manyTeams} teams`, many),
  })
  const memory = inMiB(await memoryMiB(parts.posthorn.pid))
  const each = (micros: number) => (micros / spent.messages).toFixed(0)
  say(
    `processor time of a message of ours, in microseconds: server ${each(spent.server)}, database ${each(spent.database)}`,
  )
  // Fails if a hundredth of a cent is missing.
  say((await parts.posthorn.command('billing', 'verify')).trim())
  return [
    line('12a', 'POST /v1/sms, one hot team', figures.hot!, figures.hotBare!, memory),
    line('12b', `POST /v1/sms, ${manyTeams} teams`, figures.many!, figures.manyBare!, memory),
  ]
}

/** Returns a number that is reserved for fiction. */
function numberOf(turn: number): string {
  return `+1415555${String(100 + (turn % 100)).padStart(4, '0')}`
}

export async function postSms({ http }: Parts, { key, senderId }: SmsTeam, turn: number): Promise<void> {
  const response = await http.request({
    method: 'POST',
    path: '/v1/sms',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ senderId, to: numberOf(turn), body }),
  })
  const answer = await response.body.text()
  if (response.statusCode !== 200)
    throw new Error(`An SMS was refused with ${response.statusCode}: ${answer.slice(0, 200)}`)
}

function line(row: string, what: string, ours: Load[], bare: Load[], memory: string): Result {
  const ratio = median(ours.map((load, round) => load.perSecond / bare[round]!.perSecond))
  const middleOurs = middle(ours)
  return {
    ...{
      row,
      what: `${what}, ${clients} clients`,
      ours: perSecond(middleOurs.perSecond),
      latency: latency(middleOurs),
    },
    ...{ reference: `${perSecond(middle(bare).perSecond)} bare transactions`, ratio, memory },
    ...{ target: `>= ${ratioMin}x`, met: ratio >= ratioMin },
  }
}
