import type { Generated, JSONColumnType } from 'kysely'
import type { Retention } from '../../platform/retention/removal.ts'

declare module '../../database.ts' {
  interface Database {
    team_retention: {
      team_id: string
      /** Names that are missing have the server's default. */
      choices: JSONColumnType<Partial<Retention>, string, string>
      /** SMS up to this id may have been removed. */
      sms_removed_through: Generated<string | null>
    }
  }
}
