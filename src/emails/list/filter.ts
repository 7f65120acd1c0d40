import { sql } from 'kysely'
import type { EmailStatus } from '../messages/statuses.ts'

export type EmailFilter = {
  teamId: string
  status: EmailStatus | null
  domainId: string | null
  /** True to leave out system mail. */
  hidesSystem: boolean
  /**
   * The team's emails with the status are so few that looking at each of them takes less time than any other index.
   * Only narrowed lists and searches ask for this.
   */
  isRareStatus: boolean
}

/**
 * Returns the conditions of the filter on the rows that a statement calls `rows`: emails, or their stored counts. They
 * leave out `hidesSystem`, because stored counts do not tell system mail apart. Names only what is asked for, so that
 * each form gets the plan and the index that fit it.
 */
export function conditionsOf({ teamId, status, domainId }: EmailFilter, rows: 'email' | 'counts') {
  const is = (column: string, value: string) => sql`${sql.ref(`${rows}.${column}`)} = ${value}`
  return [
    is('team_id', teamId),
    ...(status ? [is('status', status)] : []),
    ...(domainId ? [is('domain_id', domainId)] : []),
  ]
}
