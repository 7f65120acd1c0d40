type Tone = 'green' | 'blue' | 'amber' | 'red' | 'purple' | 'muted'
type Glyph = 'full' | 'hollow' | 'half' | 'cross' | 'bar'

/** Tones and glyphs by word. A word that is not here is a hollow ring. */
const looks: Record<string, [Tone, Glyph]> = {
  ...of(
    'green',
    'full',
    'delivered',
    'verified',
    'active',
    'approved',
    'completed',
    'published',
    'read',
    'succeeded',
    'paid',
    'open',
    'subscribed',
    'full_access',
  ),
  ...of(
    'blue',
    'half',
    'sent',
    'sending',
    'running',
    'queued',
    'accepted',
    'processing',
    'received',
    'trialing',
    'submitted',
  ),
  ...of('purple', 'full', 'opened', 'clicked', 'replied'),
  ...of(
    'amber',
    'half',
    'delayed',
    'delivery_delayed',
    'soft_bounced',
    'temporary_failure',
    'pending',
    'waiting',
    'past_due',
    'in_review',
    'retrying',
    'outcome_unknown',
    'undelivered',
    'partial',
  ),
  ...of(
    'red',
    'cross',
    'bounced',
    'failed',
    'rejected',
    'complained',
    'disabled',
    'suspended',
    'missing',
    'expired',
    'mismatch',
  ),
  ...of(
    'muted',
    'bar',
    'cancelled',
    'canceled',
    'inactive',
    'skipped',
    'unsubscribed',
    'archived',
    'closed',
    'suppressed',
    'revoked',
  ),
  ...of('muted', 'hollow', 'draft', 'scheduled', 'not_started', 'unpublished', 'not_verified'),
}

function of(tone: Tone, glyph: Glyph, ...words: string[]): Record<string, [Tone, Glyph]> {
  return Object.fromEntries(words.map((word) => [word, [tone, glyph]]))
}

export function lookOf(status: string): [Tone, Glyph] {
  return looks[status] ?? ['muted', 'hollow']
}

export function toneOf(status: string): Tone {
  return lookOf(status)[0]
}
