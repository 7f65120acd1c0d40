declare module '../database.ts' {
  interface Database {
    suppressions: {
      team_id: string
      id: string
      email: string
      email_normalized: string
      reason: SuppressionReason
      created_at: Date
    }
  }
}

export const suppressionReasons = ['unsubscribe', 'bounce', 'complaint', 'manual'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]
