import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'
import { secretOf } from '../graph/secrets.ts'
import { hideConfig } from '../hide-secrets.ts'
import type { ExecutionDetail, ExecutionNode } from './schema.ts'

export type Entry = Omit<ExecutionNode, 'inputData' | 'outputData'> & {
  isTrigger: boolean
  /** The size of the node's data, in bytes of JSON. */
  sizeBytes: number
}

/** The bytes of data that are read at a time. */
const pageMax = 2 * 1024 * 1024

/**
 * Writes an execution as JSON, piece by piece. With `hide`, the secrets of nodes are hidden. Other data is not parsed,
 * since its values may take twenty times as much memory.
 */
export async function* writeDetail(
  db: Db,
  teamId: string,
  execution: Omit<ExecutionDetail, 'nodes' | 'triggerData'>,
  { triggerData, entries, hide }: { triggerData: string; entries: Entry[]; hide: boolean },
): AsyncGenerator<string> {
  yield `${open(execution)},"triggerData":${triggerData},"nodes":[`
  let separator = ''
  for (const page of pagesOf(entries)) {
    const data = await findData(db, teamId, execution.id, page)
    for (const { isTrigger, sizeBytes: _, ...entry } of page) {
      const { input = null, output = null } = isTrigger ? { output: triggerData } : (data.get(entry.nodeId) ?? {})
      const shown = hide && input !== null ? hideInput(entry.nodeType, input) : input
      // A delay has its output from the start, and shows it once it is complete.
      const given = entry.status === 'completed' ? output : null
      yield `${separator}${open(entry)},"inputData":${shown},"outputData":${given}}`
      separator = ','
    }
  }
  yield ']}'
}

/** Only the inputs of nodes that declare a secret are parsed. */
function hideInput(nodeType: string, input: string): string {
  return secretOf(nodeType)
    ? JSON.stringify(hideConfig(nodeType, parseExactly(input) as Record<string, unknown>))
    : input
}

function open(members: object): string {
  return JSON.stringify(members).slice(0, -1)
}

function pagesOf(entries: Entry[]): Entry[][] {
  const pages: Entry[][] = []
  let size = pageMax
  for (const entry of entries) {
    size += entry.sizeBytes
    if (size >= pageMax) {
      pages.push([])
      size = entry.sizeBytes
    }
    pages.at(-1)!.push(entry)
  }
  return pages
}

type Data = { nodeId: string; input: string | null; output: string | null }

async function findData(db: Db, teamId: string, executionId: string, entries: Entry[]): Promise<Map<string, Data>> {
  const nodeIds = entries.flatMap(({ nodeId, sizeBytes }) => (sizeBytes > 0 ? nodeId : []))
  if (nodeIds.length === 0) return new Map()
  const { rows } = await sql<Data>`
    select node_id as "nodeId", input_data::text as input, output_data::text as output
    from workflow_execution_nodes
    where team_id = ${teamId} and execution_id = ${executionId} and node_id = any(${nodeIds}::text[])
  `.execute(db)
  return new Map(rows.map((row) => [row.nodeId, row]))
}
