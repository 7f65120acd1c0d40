declare module '../database.ts' {
  interface Database {
    system_mail_counts: SystemMailCountsTable
    limit_warnings: LimitWarningsTable
  }
}

/** The newest warning about each limit of a team. */
export type LimitWarningsTable = {
  team_id: string
  limit_name: string
  /** A UTC day, such as `2026-01-31`. */
  day: string
  percent: number
}

/** How many system mails of a kind were sent to an address or a team since the beginning of an hour or a day. */
export type SystemMailCountsTable = {
  since: Date
  kind: string
  /** A keyed hash of the address or the team. */
  subject: Buffer
  count: number
}
