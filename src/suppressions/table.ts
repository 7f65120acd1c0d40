export type SuppressionReason = 'unsubscribe' | 'bounce' | 'complaint' | 'manual'

export type SuppressionsTable = {
  team_id: string
  id: string
  email: string
  email_normalized: string
  reason: SuppressionReason
  created_at: Date
}
