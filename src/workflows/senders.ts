import type { Caller, Db } from '../context.ts'
import { findForeignSender } from '../emails/messages/accept/refuse.ts'
import { forbidden } from '../platform/errors.ts'
import type { Graph } from './graph/graph.ts'
import { hasPlaceholder } from './placeholders/fill.ts'

/**
 * Throws `forbidden` if the caller's key is restricted to a domain and the graph may send from another one. An
 * execution itself runs with the rights of the team. Expects configs that are valid.
 */
export async function refuseForeignSenders(db: Db, caller: Caller, graph: Graph): Promise<void> {
  if (caller.domainId === null) return
  const froms = textsOf(graph, 'send_email', 'from')
  const broadcastIds = textsOf(graph, 'send_broadcast', 'broadcast_id')
  if ([...froms, ...broadcastIds].some(hasPlaceholder)) {
    throw forbidden(
      'This API key may send only from its own domain: write out every `from` and `broadcast_id`, without placeholders.',
    )
  }
  const broadcasts = await findSendersOf(db, caller.teamId, broadcastIds)
  const foreign = await findForeignSender(db, caller, [...froms, ...broadcasts])
  if (foreign) throw foreign.refusal
}

function textsOf({ nodes }: Graph, type: string, field: string): string[] {
  return nodes.flatMap((node) => (node.type === type ? [node.config[field] as string] : []))
}

async function findSendersOf(db: Db, teamId: string, broadcastIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('broadcasts')
    .select('from_address as from')
    .where('team_id', '=', teamId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(broadcastIds)))
    .execute()
  return rows.map(({ from }) => from)
}
