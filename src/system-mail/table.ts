declare module '../database.ts' {
  interface Database {
    /** How many system mails of a kind were sent to an address or a team since the beginning of an hour or a day. */
    system_mail_counts: {
      since: Date
      kind: string
      /** A keyed hash of the address or the team. */
      subject: Buffer
      count: number
    }
    /** The newest warning about each limit of a team. */
    limit_warnings: {
      team_id: string
      limit_name: string
      /** A UTC day, such as `2026-01-31`. */
      day: string
      percent: number
    }
  }
}
