/** The counts of one kind of thing. Migration 0047 makes the tables and the triggers that fill them. */
export type Counted = {
  /** `<table>_metrics` has the totals by the hour, `<table>_metric_changes` the changes that are not folded yet. */
  table: 'email' | 'sms' | 'whatsapp' | 'workflow' | 'webhook'
  /** Every column that is summed. */
  columns: readonly string[]
}

/** The columns of attempts by duration, from the shortest. Migration 0047 sorts attempts into them. */
export const durationColumns = Array.from({ length: 29 }, (_, step) => `ms_${step}`)

export const counted = {
  emails: {
    table: 'email',
    columns: [
      ...['accepted', 'sent', 'delivered', 'delayed', 'bounced', 'soft_bounced', 'complained', 'unsubscribed'],
      ...['opened', 'clicked', 'unique_opened', 'unique_clicked'],
    ],
  },
  sms: {
    table: 'sms',
    columns: ['accepted', 'sent', 'delivered', 'undelivered', 'failed', 'segments', 'cost_units'],
  },
  whatsapp: { table: 'whatsapp', columns: ['sent', 'delivered', 'read', 'failed', 'received'] },
  workflows: { table: 'workflow', columns: ['started', 'completed', 'failed', 'cancelled'] },
  webhooks: { table: 'webhook', columns: ['delivered', 'failed', 'attempts', ...durationColumns] },
} satisfies Record<string, Counted>
