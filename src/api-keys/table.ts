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
}
