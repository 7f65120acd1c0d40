import type { Generated } from 'kysely'
import type { Mode } from '../platform/mode/mode.ts'

declare module '../database.ts' {
  interface Database {
    api_keys: {
      team_id: string
      id: string
      name: string
      key_hash: Buffer
      key_prefix: string
      permission: 'full_access' | 'sending_access'
      mode: Generated<Mode>
      domain_id: string | null
      last_used_at: Date | null
      created_at: Date
      /** Null if the key does not expire. */
      expires_at: Date | null
      /** Null for keys older than this column. */
      created_by_type: 'user' | 'api_key' | 'operator' | null
      created_by_id: string | null
      /** The creator's name at that time. */
      created_by_name: string | null
    }
  }
}
