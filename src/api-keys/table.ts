export type ApiKeysTable = {
  team_id: string
  id: string
  name: string
  key_hash: Buffer
  key_prefix: string
  permission: 'full_access' | 'sending_access'
  domain_id: string | null
  last_used_at: Date | null
  created_at: Date
  /** Null: without end. */
  expires_at: Date | null
  /** Null for keys from before it was noted. */
  created_by_type: 'user' | 'api_key' | 'operator' | null
  created_by_id: string | null
  /** As it was when the key was made. */
  created_by_name: string | null
}
