import type pg from 'pg'
import { signatureMicros } from './bare-send.ts'
import { kilobytes } from './format.ts'
import { cpuSeconds } from './processes.ts'
import type { Sink } from './start-sink.ts'
import { median } from './statistics.ts'
import type { Parts } from './with-posthorn.ts'
import type { Result } from './workload.ts'

/**
 * The cost of one email: microseconds of processor time of each process, of one RSA-2048 signature, and octets of WAL.
 */
export type Cost = Record<'server' | 'database' | 'sink' | 'client' | 'signature' | 'walBytes', number>

const signaturesMax = 4.5
const hotMin = 0.95
const walMax = 2500
const signingSeconds = 1

/** Runs `work`, which sends `count` emails. Returns its result and the cost of each. */
export async function measureCost<Made extends { count: number }>(
  parts: Parts,
  sink: Sink,
  work: () => Promise<Made>,
): Promise<{ made: Made; cost: Cost }> {
  const before = await spent(parts, sink)
  const made = await work()
  const after = await spent(parts, sink)
  const each = after.map((total, index) => (total - before[index]!) / made.count)
  const [server, database, taking, client, walBytes] = each as [number, number, number, number, number]
  return {
    made,
    cost: { server, database, sink: taking, client, walBytes, signature: signatureMicros(signingSeconds) },
  }
}

async function spent({ posthorn, database }: Parts, sink: Sink): Promise<number[]> {
  const { own, below } = await cpuSeconds(posthorn.pid)
  const { user, system } = process.cpuUsage()
  const seconds = [own, below, (await cpuSeconds(sink.pid)).own]
  return [...seconds.map((each) => each * 1e6), user + system, await walBytes(database)]
}

/** Returns the octets of WAL that the cluster has written so far. */
export async function walBytes(database: pg.Pool): Promise<number> {
  const { rows } = await database.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes")
  return rows[0].bytes
}

/** Rows 1c to 1e: the cost of a `POST /v1/emails` in signatures, how many updates touched no index, and WAL. */
export async function costResults(costs: Cost[], database: pg.Pool): Promise<Result[]> {
  const of = (figure: (cost: Cost) => number) => median(costs.map(figure))
  const micros = of(({ server, database }) => server + database)
  const ratio = of(({ server, database, signature }) => (server + database) / signature)
  const [hot, wal] = [await hotShare(database), of(({ walBytes }) => walBytes)]
  return [
    {
      ...{ row: '1c', what: 'the same, processor time of server and database', ours: `${micros.toFixed(0)} µs each` },
      ...{ reference: `${of(({ signature }) => signature).toFixed(0)} µs for an RSA-2048 signature`, ratio },
      ...{ target: `<= ${signaturesMax} signatures`, met: ratio <= signaturesMax },
    },
    {
      ...{ row: '1d', what: 'the same, updates of emails that write no index (HOT)' },
      ...{ ours: hot === null ? 'no updates' : `${(hot * 100).toFixed(1)} %`, reference: '', ratio: null },
      ...{ target: `>= ${hotMin * 100} %`, met: hot === null || hot >= hotMin },
    },
    {
      ...{ row: '1e', what: 'the same, WAL', ours: `${kilobytes(wal)} each`, reference: '', ratio: null },
      ...{ target: `<= ${kilobytes(walMax)}`, met: wal <= walMax },
    },
  ]
}

/** Null if there was no update. */
async function hotShare(database: pg.Pool): Promise<number | null> {
  const { rows } = await database.query(
    "select n_tup_hot_upd::float8 / nullif(n_tup_upd, 0) as share from pg_stat_user_tables where relname = 'emails'",
  )
  return rows[0].share
}
