import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { isAllowedHost } from '../../credentials/allowed-hosts.ts'
import type { FieldError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { hostNotAllowed } from '../calls/authorize.ts'
import { hasLiteralAuthority } from '../calls/url.ts'
import type { Reference } from '../nodes/node.ts'
import type { Named, ReadConfigs } from './config-faults.ts'
import { fitnessFaults } from './fitness.ts'
import type { Graph } from './graph.ts'

/** Finds every fault that keeps a graph from being activated, given what was read from its configs. */
export async function graphFaults(
  db: Db,
  teamId: string,
  graph: Graph,
  { faults, named }: ReadConfigs,
): Promise<FieldError[]> {
  return [...fitnessFaults(graph), ...faults, ...(await referenceFaults(db, teamId, named))]
}

/** `shared`: test mode also reads the rows of the live team. */
const tables: Record<Reference['noun'], { name: string; shared?: true }> = {
  segment: { name: 'segments' },
  broadcast: { name: 'broadcasts' },
  domain: { name: 'domains', shared: true },
  credential: { name: 'credentials' },
  template: { name: 'templates', shared: true },
}

/** Finds the ids that the team does not have. An id of another team is unknown. */
async function referenceFaults(db: Db, teamId: string, named: Named[]): Promise<FieldError[]> {
  const known = new Map<string, Found>()
  for (const noun of Object.keys(tables) as Reference['noun'][]) {
    const ids = named.filter((one) => one.noun === noun && isUuid(one.id)).map(({ id }) => id)
    for (const row of ids.length > 0 ? await find(db, noun, teamId, ids) : []) known.set(`${noun} ${row.id}`, row)
  }
  return named.flatMap((reference) => {
    const { path, nodeId } = reference
    const fault = faultOf(reference, known.get(`${reference.noun} ${reference.id.toLowerCase()}`))
    return fault ? [{ path, message: `${fault} (node "${nodeId}")` }] : []
  })
}

type Found = { id: string; type: string | null; hosts: string[] | null }

/** Only credentials have a type and hosts. */
async function find(db: Db, noun: Reference['noun'], teamId: string, ids: string[]) {
  const [type, hosts] = noun === 'credential' ? [sql`type`, sql`allowed_hosts`] : [sql`null`, sql`null`]
  const { name, shared } = tables[noun]
  const ownerIds = shared ? teamsReadBy(teamId) : [teamId]
  const { rows } = await sql<Found>`
    select id, ${type} as type, ${hosts} as hosts from ${sql.table(name)} where team_id = any(${ownerIds}::uuid[]) and id = any(${ids}::uuid[])
  `.execute(db)
  return rows
}

function faultOf({ noun, id, type, url }: Named, found: Found | undefined): string | null {
  if (found === undefined) return `${id.slice(0, 80)} is not a ${noun} of this team`
  if (type !== undefined && found.type !== type) {
    return `is a ${noun} of the type ${found.type}, and must be of the type ${type}`
  }
  // The checks of the URL report its own faults.
  const { hosts } = found
  if (url === undefined || hosts === null || !hasLiteralAuthority(url) || !URL.canParse(url)) return null
  return isAllowedHost(url, hosts) ? null : hostNotAllowed(url, hosts)
}
