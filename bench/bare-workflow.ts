import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** Makes tables with the same columns and indexes as ours, and the same contacts. */
export async function makeBareWorkflows(database: pg.Pool): Promise<void> {
  for (const table of ['workflow_executions', 'workflow_execution_nodes', 'jobs', 'contacts'])
    await database.query(`create table bare_${table} (like ${table} including all)`)
  await database.query(`insert into bare_contacts (${contactColumns}) select ${contactColumns} from contacts`)
}

/** All columns that are not generated. */
const contactColumns = `team_id, id, email, email_key, first_name, last_name, properties, unsubscribe_seed, unsubscribe_hash,
  created_at, updated_at`

/** The effects of a step, apart from its record. */
export type BareStep = {
  name: string
  /** A write in the commit that records the step. */
  write?: { name: string; text: string; values: unknown[] }
  /** A call before that commit. */
  call?(): Promise<void>
}

/**
 * Does the minimum for an execution: one commit that begins it and its first step, and one at the end of each step,
 * which begins the next step or ends the execution.
 */
export async function bareRun(database: pg.Pool, teamId: string, data: object, steps: BareStep[]): Promise<void> {
  const id = randomUUID()
  const begin = (client: pg.PoolClient, step: BareStep) =>
    client.query({ ...insertNode, values: [teamId, id, step.name, JSON.stringify(data)] })
  await commit(database, async (client) => {
    await client.query({ ...insertExecution, values: [teamId, id, JSON.stringify(data)] })
    await client.query({ ...insertJob, values: [teamId, id] })
    await begin(client, steps[0]!)
  })
  for (const [index, step] of steps.entries()) {
    await step.call?.()
    await commit(database, async (client) => {
      if (step.write) await client.query(step.write)
      await client.query({ ...endNode, values: [teamId, id, step.name, JSON.stringify(data)] })
      const next = steps[index + 1]
      if (next) return begin(client, next)
      await client.query({ ...endExecution, values: [teamId, id] })
      return client.query({ ...deleteJob, values: [id] })
    })
  }
}

async function commit(database: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release()
  }
}

export const updateBareContact = {
  name: 'bare-contact',
  text: 'update bare_contacts set first_name = $3, updated_at = now() where team_id = $1 and email = $2',
}

const insertExecution = {
  name: 'bare-execution',
  text: `insert into bare_workflow_executions (team_id, id, workflow_id, graph_id, status, node_count, trigger_data, vars, depth, started_at)
    values ($1, $2, $1, $1, 'running', 6, $3, '{}', 1, now())`,
}
const insertJob = {
  name: 'bare-job',
  text: `insert into bare_jobs (kind, team_id, key, run_at, created_at) values ('workflows.run', $1, $2, now(), now())`,
}
const insertNode = {
  name: 'bare-node',
  text: `insert into bare_workflow_execution_nodes (team_id, execution_id, node_id, id, node_type, status, attempts, interruptions,
    input_data, started_at) values ($1, $2, $3, gen_random_uuid(), 'transform_data', 'running', 1, 0, $4, now())`,
}
const endNode = {
  name: 'bare-node-end',
  text: `update bare_workflow_execution_nodes set status = 'completed', output_data = $4, completed_at = now()
    where team_id = $1 and execution_id = $2 and node_id = $3 and status = 'running'`,
}
const endExecution = {
  name: 'bare-execution-end',
  text: `update bare_workflow_executions set status = 'completed', completed_at = now()
    where team_id = $1 and id = $2 and status = 'running'`,
}
const deleteJob = { name: 'bare-job-end', text: `delete from bare_jobs where kind = 'workflows.run' and key = $1` }
