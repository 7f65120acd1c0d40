import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { manualClock } from '../../../test/clock.ts'
import { createTestDatabase, testServer } from '../../../test/database.ts'
import { slowTest } from '../../../test/slow.ts'
import { openTestPool } from '../../../test/spare-databases.ts'
import type { Tx } from '../../context.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Connections } from '../sql/db.ts'
import { type Transaction, transactions } from './transaction.ts'

let connections: Connections
let transaction: Transaction
let close: () => Promise<void>

before(async () => {
  const database = await createTestDatabase(await testServer())
  connections = openTestPool(database.config)
  close = async () => {
    await connections.close()
    await database.drop()
  }
  await sql`create table notes (text text primary key, twin text unique deferrable initially deferred)`.execute(
    connections.db,
  )
  const parts = { jobs: () => undefined as never, keyring: {} as Keyring, subscriptions: [], newId: () => '' }
  transaction = transactions({ ...parts, pool: connections.pool, clock: manualClock() })
})

after(() => close())

const write = (tx: Tx, text: string, twin: string | null = null) =>
  void tx.send(sql`insert into notes (text, twin) values (${text}, ${twin})`)
const broken = (tx: Tx) => tx.send(sql`select 1 / ${0}::int as nothing`)
const breakConnection = (tx: Tx) => tx.send(sql`select pg_terminate_backend(pg_backend_pid())`)
const pidOf = async (tx: Tx) => (await tx.send(sql<{ pid: number }>`select pg_backend_pid() as pid`))[0]!.pid

async function stored(prefix: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select text from notes where text like ${`${prefix}%`} order by text`.execute(connections.db)
  return rows.map(({ text }) => text)
}

/** Runs a unit of work that must fail with `code`, leave nothing behind and cause no effect. */
async function fails(code: string, prefix: string, work: (tx: Tx) => unknown): Promise<void> {
  let hadEffect = false
  const failing = transaction(async (tx) => {
    tx.afterCommit(() => {
      hadEffect = true
    })
    await work(tx)
  })
  await assert.rejects(failing, { code })
  assert.deepEqual([await stored(prefix), hadEffect], [[], false])
}

test('unread statements are committed in their order, and awaited ones get their answers', async () => {
  const answer = await transaction(async (tx) => {
    const first = tx.send(sql<{ n: number }>`select 1 as n`)
    const second = tx.send(sql<{ n: number }>`select 2 as n`)
    write(tx, 'both 1')
    tx.withCommit(tx.send(tx.db.updateTable('jobs').set({ attempts: 1 }).where('id', '=', '0')))
    assert.deepEqual([await second, await first], [[{ n: 2 }], [{ n: 1 }]])
    write(tx, 'both 2')
    tx.withCommit(tx.send(sql`update notes set twin = text where text = 'both 2'`))
    return 'done'
  })
  assert.deepEqual([answer, await stored('both')], ['done', ['both 1', 'both 2']])
  assert.equal(await transaction(async () => 'nothing to commit'), 'nothing to commit')
})

test('a unit of work with a failed statement throws its error and leaves nothing behind, wherever the statement was', async () => {
  await fails('22012', 'last', (tx) => {
    write(tx, 'last 1')
    tx.withCommit(broken(tx))
  })
  await fails('22012', 'middle', async (tx) => {
    write(tx, 'middle 1')
    const answer = broken(tx)
    write(tx, 'middle 2')
    // Waits for an answer that says only that the statement was skipped.
    await pidOf(tx)
    await answer
  })
  await fails('22012', 'first', (tx) => {
    tx.withCommit(broken(tx))
    write(tx, 'first 1')
  })
  await fails('22012', 'ignored', async (tx) => {
    write(tx, 'ignored 1')
    await broken(tx).catch(() => undefined)
  })
  await fails('42P01', 'parsed', (tx) => tx.withCommit(tx.send(sql`insert into missing_table values (1)`)))
  await fails('42P01', 'parsed', (tx) => tx.withCommit(tx.send(sql`insert into missing_table values (1)`)))
})

test('a unit of work one of whose parts fails before its statement leaves nothing behind', async () => {
  const unwritable = async (tx: Tx, value: unknown) => {
    await tx.send(sql`insert into notes (text) values (${JSON.stringify(value)})`)
  }
  const failing = transaction(async (tx) => {
    write(tx, 'part 1')
    tx.withCommit(unwritable(tx, { count: 1n }))
  })
  await assert.rejects(failing, TypeError)
  assert.deepEqual(await stored('part'), [])
})

test('a constraint that COMMIT checks fails the unit of work', async () => {
  await fails('23505', 'deferred', (tx) => {
    write(tx, 'deferred 1', 'same')
    write(tx, 'deferred 2', 'same')
  })
})

test('a connection that is lost in the middle fails the unit of work, and the next one has another', async () => {
  await fails('57P01', 'lost', (tx) => {
    write(tx, 'lost 1')
    tx.withCommit(breakConnection(tx))
    write(tx, 'lost 2')
  })
  await transaction(async (tx) => write(tx, 'found 1'))
  assert.deepEqual(await stored('found'), ['found 1'])
})

test('a unit of work succeeds after a migration made a plan of every connection stale', async () => {
  await sql`create table widened (first text)`.execute(connections.db)
  const read = (tx: Tx) => tx.send(sql`select * from widened`)
  const all = connections.pool.options.max
  const prepared = Promise.withResolvers<void>()
  let waiting = 0
  const prepare = async (tx: Tx) => {
    await read(tx)
    if (++waiting === all) prepared.resolve()
    await prepared.promise
  }
  await Promise.all(Array.from({ length: all }, () => transaction(prepare)))
  await sql`alter table widened add column second text`.execute(connections.db)
  assert.deepEqual(await transaction(read), [])
})

test('a connection to a server that refuses writes is not used again', async () => {
  let pid = 0
  await fails('25006', 'refused', async (tx) => {
    await tx.send(sql`set transaction read only`)
    pid = await pidOf(tx)
    write(tx, 'refused 1')
  })
  const { rows } = await sql`select from pg_stat_activity where pid = ${pid} and state <> 'idle'`.execute(
    connections.db,
  )
  assert.equal(rows.length, 0)
  assert.notEqual(await transaction(pidOf), pid)
})

test('a statement after the end of its transaction is refused, as the connection may serve another', async () => {
  let late: Tx | undefined
  await transaction(async (tx) => {
    late = tx
    write(tx, 'ended 1')
  })
  await assert.rejects(late!.send(sql`insert into notes values ('ended 2')`), /after its transaction has ended/)
  await assert.rejects(sql`insert into notes values ('ended 3')`.execute(late!.db), /after its transaction has ended/)
  assert.deepEqual(await stored('ended'), ['ended 1'])
})

slowTest('a deadlock in an unread statement is tried again', async () => {
  await transaction(async (tx) => ['lock a', 'lock b'].forEach((text) => void write(tx, text)))
  const holding = Promise.withResolvers<void>()
  let attempts = 0
  const lockBoth = (first: string, second: string, meet: () => Promise<void>) =>
    transaction(async (tx) => {
      attempts++
      // On a slow machine the second attempt may still be early: here it lets the survivor end.
      if (attempts > 2) await Promise.race([left, right])
      await tx.send(sql`update notes set twin = null where text = ${first}`)
      await meet()
      tx.withCommit(tx.send(sql`update notes set twin = null where text = ${second}`))
    })
  const left = lockBoth('lock a', 'lock b', () => holding.promise)
  const right = lockBoth('lock b', 'lock a', async () => holding.resolve())
  await Promise.all([left, right])
  assert.equal(attempts, 3)
})

test('cancellations that strike any statement, BEGIN and COMMIT too, leave all of a unit of work or nothing', async () => {
  let isOver = false
  const cancelling = (async () => {
    while (!isOver) {
      await connections.pool.query(`
        select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    }
  })()
  const committed: string[] = []
  const twins = async (worker: number) => {
    for (let round = 0; round < 40; round++) {
      const name = `twin ${worker} ${round}`
      const work = transaction(async (tx) => {
        await tx.send(sql`insert into notes (text) values (${`${name} a`})`)
        write(tx, `${name} b`)
      })
      await work.then(
        () => committed.push(name),
        ({ code }) => assert.equal(code, '57014'),
      )
    }
  }
  await Promise.all([1, 2, 3].map(twins)).finally(() => {
    isOver = true
  })
  await cancelling
  const written = committed.flatMap((name) => [`${name} a`, `${name} b`])
  assert.deepEqual(await stored('twin'), written.sort())
})
