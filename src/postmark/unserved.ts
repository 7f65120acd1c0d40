import type { Unserved } from '../platform/http/dialect.ts'

/** Other parts of Postmark's API and what to use instead. */
export const unserved: Unserved = [
  ['*', /^\/email\/(withTemplate|batchWithTemplates)$/i, 'Use POST /v1/emails with templateId and templateVariables.'],
  ['*', /^\/email\/bulk(\/|$)/, 'Use POST /v1/broadcasts.'],
  ['*', /^\/templates(\/|$)/, 'Use /v1/templates.'],
  ['*', /^\/message-streams\/[^/]+\/suppressions(\/|$)/, 'Use /v1/suppressions.'],
  [
    '*',
    /^\/message-streams(\/|$)/,
    'There are no streams: use POST /v1/emails for one email, POST /v1/broadcasts for many.',
  ],
  ['*', /^\/bounces(\/|$)|^\/deliverystats$/, 'Use /v1/suppressions, and GET /v1/emails?status=bounced.'],
  ['*', /^\/messages\/inbound(\/|$)|^\/triggers(\/|$)/, 'Posthorn receives no mail for a program.'],
  ['*', /^\/messages(\/|$)/, 'Use /v1/emails and /v1/emails/{id}/events.'],
  ['*', /^\/stats(\/|$)/, 'Use GET /v1/metrics/emails.'],
  ['*', /^\/webhooks(\/|$)/, 'Use /v1/webhooks.'],
  ['*', /^\/servers?(\/|$)/, 'Use /v1/api-keys.'],
  ['*', /^\/(domains|senders)(\/|$)/, 'Use /v1/domains.'],
]
