import type { Tx } from '../../../context.ts'
import type { Outcome, StatusEvent } from '../../inbound/apply.ts'
import { applyStatuses, type StatusFact } from './consequences.ts'
import { failureText } from './failure-text.ts'
import type { Match } from './match.ts'

/** Advances the messages that statuses are matched with. */
export async function recordStatuses(tx: Tx, events: StatusEvent[], matches: (Match | null)[]): Promise<Outcome[]> {
  const facts = events.map((event, index) => factOf(event, matches[index]!, tx.now))
  const fresh = await applyStatuses(
    tx,
    facts.filter((fact) => fact !== null),
  )
  const results = fresh.values()
  return facts.map((fact) => (fact === null ? 'ignored' : results.next().value ? 'processed' : 'duplicate'))
}

function factOf(event: StatusEvent, match: Match | null, at: Date): StatusFact | null {
  if (!match) return null
  const { providerMessageId, status, data = null } = event
  const { teamId, messageId } = match
  return {
    teamId,
    messageId,
    providerMessageId,
    status,
    at,
    data,
    error: status === 'failed' ? failureText(data) : null,
  }
}
