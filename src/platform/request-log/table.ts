export type RequestLogTable = {
  team_id: string
  /** The id of the request, which is ordered by time and says the partition. */
  id: string
  at: Date
  method: string
  path: string
  status: number
  duration_ms: number
  api_key_id: string | null
  user_id: string | null
  address: string
  /** The `name` of the refusal; null for answers that are none. */
  error_name: string | null
}
