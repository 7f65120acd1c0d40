import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { FieldError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Reference } from '../nodes/node.ts'
import type { Named } from './config-faults.ts'

const tables: Record<Reference['noun'], string> = {
  segment: 'segments',
  broadcast: 'broadcasts',
  domain: 'domains',
  credential: 'credentials',
  template: 'templates',
}

/** What is named and is not the team's; another team's is like one that does not exist. */
export async function referenceFaults(tx: Tx, teamId: string, named: Named[]): Promise<FieldError[]> {
  const known = new Map<string, string | null>()
  for (const noun of Object.keys(tables) as Reference['noun'][]) {
    const ids = named.filter((one) => one.noun === noun && isUuid(one.id)).map(({ id }) => id)
    for (const { id, type } of ids.length > 0 ? await find(tx, noun, teamId, ids) : []) known.set(`${noun} ${id}`, type)
  }
  return named.flatMap((reference) => {
    const { path, nodeId } = reference
    const fault = faultOf(reference, known.get(`${reference.noun} ${reference.id.toLowerCase()}`))
    return fault ? [{ path, message: `${fault} (node "${nodeId}")` }] : []
  })
}

/** Credentials alone are of a type. */
async function find(tx: Tx, noun: Reference['noun'], teamId: string, ids: string[]) {
  const type = noun === 'credential' ? sql`type` : sql`null`
  const { rows } = await sql<{ id: string; type: string | null }>`
    select id, ${type} as type from ${sql.table(tables[noun])} where team_id = ${teamId} and id = any(${ids}::uuid[])
  `.execute(tx.db)
  return rows
}

function faultOf({ noun, id, type }: Named, found: string | null | undefined): string | null {
  if (found === undefined) return `${id.slice(0, 80)} is not a ${noun} of this team`
  return type === undefined || found === type
    ? null
    : `is a ${noun} of the type ${found}, and must be of the type ${type}`
}
