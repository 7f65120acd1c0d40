import type { JSONColumnType } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    audit_entries: {
      team_id: string
      id: string
      at: Date
      actor_type: 'user' | 'api_key' | 'operator' | 'system'
      /** Null for operators and the system. */
      actor_id: string | null
      /** The actor's name at that time. */
      actor_name: string
      /** `<noun>.<past verb>`, such as `api_key.created`. */
      action: string
      target_type: string
      target_id: string
      target_name: string | null
      changes: JSONColumnType<Changes, string, string>
      /** The client's address, for requests. */
      address: string | null
      request_id: string | null
    }
  }
}

/** The changed fields, by name. Values of secrets and bodies of messages are never in it. */
export type Changes = { [field: string]: { from: unknown; to: unknown } }
