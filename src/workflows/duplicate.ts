import type { App, Caller } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { isLiveToTestKey } from '../platform/mode/caller.ts'
import { firstCharacters } from '../platform/text/cut.ts'
import { nameMax } from './graph/graph.ts'
import { insertWorkflow } from './insert.ts'
import { findWorkflow, notOwn, type Workflow } from './queries.ts'
import { refuseRestricted } from './refuse-restricted.ts'

/**
 * Inserts a draft with the same graph and a new trigger key, and without executions. Throws `notFound`, and `forbidden`
 * if a test key asks for a copy of a live workflow, which may hold secrets.
 */
export function duplicateWorkflow(app: App, caller: Caller, id: string): Promise<Workflow> {
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const original = await findWorkflow(app, tx.db, teamId, id)
    if (isLiveToTestKey(caller, original)) throw await notOwn(tx.db, teamId, id)
    const { name, description, nodes, connections } = original
    refuseRestricted(app, caller, nodes)
    const graph = { nodes, connections }
    const named = nameOfCopy(name)
    const copy = await insertWorkflow(tx, teamId, { name: named, description, graph })
    const target = { type: 'workflow', id: copy, name: named }
    await recordChange(tx, { teamId, action: 'workflow.duplicated', target, changes: newValues({ copyOf: id }) })
    return findWorkflow(app, tx.db, teamId, copy)
  })
}

const suffix = ' (copy)'

function nameOfCopy(name: string): string {
  return firstCharacters(name, nameMax - suffix.length) + suffix
}
