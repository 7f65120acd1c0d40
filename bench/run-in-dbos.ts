import pg from 'pg'
import type { Pool } from 'undici'
import { importPeer } from './peers.ts'
import type { ReferenceServer } from './start-postgres.ts'

/** The used part of DBOS 5. */
type Dbos = {
  DBOS: {
    setConfig(config: object): void
    registerWorkflow<Input>(work: (input: Input) => Promise<void>, options: { name: string }): typeof work
    runStep<Output>(step: () => Promise<Output>, options: { name: string }): Promise<Output>
    launch(): Promise<void>
    shutdown(): Promise<void>
  }
}

export type DbosRuns = {
  /** Runs five steps with the effects of row 7a, from start to end. */
  work(run: { run: number; email: string; amount: number }): Promise<void>
  /** Runs five steps that do nothing. */
  nothing(run: number): Promise<void>
  close(): Promise<void>
}

/**
 * Opens DBOS as in its manual: a workflow is a function, each step is stored at its end, and the caller waits for the
 * whole.
 */
export async function openDbos(server: ReferenceServer, sink: Pool, connectionsMax: number): Promise<DbosRuns> {
  const { DBOS } = await importPeer<Dbos>('@dbos-inc/dbos-sdk')
  const pool = new pg.Pool({ ...server.connection, max: connectionsMax })
  pool.on('error', () => undefined)
  DBOS.setConfig({ name: 'bench', systemDatabasePool: pool, logger: quietLogger })
  const step = <Output>(name: string, work: () => Output | Promise<Output>) =>
    DBOS.runStep(async () => await work(), { name })

  const work = DBOS.registerWorkflow(
    async (input: { run: number; email: string; amount: number }) => {
      const order = await step('values', () => [input.amount])
      await step('condition', () => ({ result: order[0]! > 10 }))
      await step('update', async () => {
        const { rows } = await pool.query({ ...update, values: [input.email, `Run ${input.run}`] })
        return { id: rows[0].id }
      })
      const text = await step('text', () => `Run ${input.run} of ${input.email}`)
      await step('request', async () => {
        const path = `/runs/${input.run}`
        const response = await sink.request({ method: 'POST', path, headers: { 'idempotency-key': path }, body: text })
        return { status_code: response.statusCode, body: await response.body.text() }
      })
    },
    { name: 'work' },
  )
  const nothing = DBOS.registerWorkflow(
    async (run: number) => {
      for (const name of ['one', 'two', 'three', 'four', 'five']) await step(name, () => `Run ${run}`)
    },
    { name: 'nothing' },
  )
  await DBOS.launch()
  return {
    // Wrapped, because DBOS takes the object of a method call for a configured instance.
    work: (input) => work(input),
    nothing: (run) => nothing(run),
    async close() {
      await DBOS.shutdown()
      await pool.end()
    },
  }
}

const quietLogger = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => undefined]))

const update = {
  name: 'update-contact',
  text: 'update contacts set first_name = $2, updated_at = now() where email = $1 returning id',
}

export const contactsOfDbos = `
  create table contacts (id bigint generated always as identity primary key, email text not null unique, first_name text,
    updated_at timestamptz not null default now())
`
