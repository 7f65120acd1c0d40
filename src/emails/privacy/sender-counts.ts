import { sql } from 'kysely'
import { namesPerson } from '../../platform/privacy/names-person.ts'
import { candidatePattern, erased } from '../../platform/privacy/person.ts'
import type { Trace } from '../../platform/privacy/trace.ts'

/**
 * The counts of emails by their sender, where the person is one. `erased` takes the place of the sender, so that totals
 * stay exact.
 */
export const senderCountTrace: Trace = {
  name: 'emailSenders',
  reads: [
    { table: 'email_counts', column: 'team_id' },
    { table: 'email_count_changes', column: 'team_id' },
  ],
  async find(db, teamId, person) {
    const isCandidate = sql`team_id = ${teamId} and from_address ~* ${candidatePattern(person)}`
    const { rows } = await sql<{ sender: string }>`
      select from_address as sender from email_counts where ${isCandidate}
      union select from_address from email_count_changes where ${isCandidate}
    `.execute(db)
    const found = rows.filter(({ sender }) => namesPerson(sender, 'address', person))
    return { found: found.map(({ sender }) => ({ key: [sender], row: { sender } })), next: null }
  },
  async erase(tx, teamId, found) {
    const isFound = sql`team_id = ${teamId} and from_address = any(${found.map(({ key }) => key[0])}::text[])`
    // A trigger lists the emails of changes as these are deleted.
    await sql`
      with gone as (delete from email_count_changes where ${isFound} returning team_id, domain_id, status, change)
      insert into email_count_changes (team_id, domain_id, status, from_address, change)
      select team_id, domain_id, status, ${erased}, sum(change) from gone group by team_id, domain_id, status
    `.execute(tx.db)
    await sql`
      with gone as (delete from email_counts where ${isFound} returning team_id, domain_id, status, count)
      insert into email_counts (team_id, domain_id, status, from_address, count)
      select team_id, domain_id, status, ${erased}, sum(count) from gone group by team_id, domain_id, status
      on conflict (team_id, domain_id, status, from_address) do update set count = email_counts.count + excluded.count
    `.execute(tx.db)
    return found.length
  },
}
