import type { App } from '../src/context.ts'
import { openDatabase } from '../src/platform/sql/db.ts'
import { startExecutions } from '../src/workflows/executions/start.ts'
import type { MadeWorkflow } from './make-workflow.ts'
import { openApp } from './open-app.ts'
import type { Parts } from './with-posthorn.ts'

const each = 1000

/** Starts executions of one workflow, a thousand in each commit, with the function that all triggers use. */
export async function fillExecutions(
  app: App,
  teamId: string,
  { id: workflowId }: MadeWorkflow,
  count: number,
  triggerData: object,
): Promise<void> {
  const { graph_id: graphId } = await app.db
    .selectFrom('workflows')
    .select('graph_id')
    .where('team_id', '=', teamId)
    .where('id', '=', workflowId)
    .executeTakeFirstOrThrow()
  for (let started = 0; started < count; started += each) {
    const some = Array.from({ length: Math.min(each, count - started) }, (_, index) => ({
      ...{ teamId, ownerId: teamId, workflowId, graphId, depth: 1, startedBy: 'request' as const },
      triggerData: { run: started + index, ...triggerData },
    }))
    await app.transaction((tx) => startExecutions(tx, some))
  }
}

/** Runs `work` with our app in this process, beside the server and on its database. */
export async function withApp<T>({ connection }: Parts, work: (app: App) => Promise<T>): Promise<T> {
  const connections = openDatabase(connection, () => undefined)
  try {
    return await work(await openApp(connections))
  } finally {
    await connections.close()
  }
}
