import { sql } from 'kysely'
import type { Db } from '../../../context.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import type { WorkflowEvent } from './event.ts'

/**
 * Finds the number in their chain of the executions that each event starts: one more than that of the execution that
 * caused the event, or 1. Reads the database only, so that a click weeks later, in another process, belongs to the
 * chain too.
 */
export async function findDepths(
  db: Db,
  teamId: string,
  events: Pick<WorkflowEvent, 'data' | 'cause'>[],
): Promise<number[]> {
  const causes = events.map(({ data, cause }) => ({
    executionId: cause,
    emailId: 'emailId' in data ? data.emailId : null,
    broadcastId: 'broadcastId' in data ? data.broadcastId : null,
  }))
  const { rows } = await sql<{ depth: number }>`
    select coalesce(execution.depth, 0) + 1 as depth
    from ${rowsOf(causes, { executionId: 'uuid', emailId: 'uuid', broadcastId: 'uuid' }).as('event', 'position')}
    -- The id of an email that a node sends is that of the node's entry.
    left join lateral (
      select execution_id from workflow_execution_nodes
      where team_id = ${teamId} and id = event.email_id and node_type = 'send_email' limit 1
    ) as node on true
    left join lateral (
      select broadcast_id from broadcast_recipients
      where team_id = ${teamId} and email_id = event.email_id limit 1
    ) as recipient on true
    left join lateral (
      select execution_id from workflow_broadcasts
      where team_id = ${teamId} and broadcast_id = coalesce(event.broadcast_id, recipient.broadcast_id) limit 1
    ) as broadcast on true
    -- Emails and broadcasts that an execution made by calling the API.
    left join lateral (
      select execution_id from caused_resources
      where team_id = ${teamId} and resource_id in (event.email_id, event.broadcast_id, recipient.broadcast_id) limit 1
    ) as request on true
    left join lateral (
      select depth from workflow_executions
      where team_id = ${teamId}
        and id = coalesce(event.execution_id, node.execution_id, broadcast.execution_id, request.execution_id) limit 1
    ) as execution on true
    order by event.position
  `.execute(db)
  return rows.map(({ depth }) => depth)
}
