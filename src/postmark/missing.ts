import type { FastifyRequest } from 'fastify'

/** Other parts of Postmark's API by their paths, and what to use instead. */
const missing: [path: RegExp, instead: string][] = [
  [/^\/email\/(withTemplate|batchWithTemplates)$/i, 'Use POST /v1/emails with templateId and templateVariables.'],
  [/^\/email\/bulk(\/|$)/, 'Use POST /v1/broadcasts.'],
  [/^\/templates(\/|$)/, 'Use /v1/templates.'],
  [/^\/message-streams\/[^/]+\/suppressions(\/|$)/, 'Use /v1/suppressions.'],
  [
    /^\/message-streams(\/|$)/,
    'There are no streams: use POST /v1/emails for one email, POST /v1/broadcasts for many.',
  ],
  [/^\/bounces(\/|$)|^\/deliverystats$/, 'Use /v1/suppressions, and GET /v1/emails?status=bounced.'],
  [/^\/messages\/inbound(\/|$)|^\/triggers(\/|$)/, 'Posthorn receives no mail for a program.'],
  [/^\/messages(\/|$)/, 'Use /v1/emails and /v1/emails/{id}/events.'],
  [/^\/stats(\/|$)/, 'Use GET /v1/metrics/emails.'],
  [/^\/webhooks(\/|$)/, 'Use /v1/webhooks.'],
  [/^\/servers?(\/|$)/, 'Use /v1/api-keys.'],
  [/^\/(domains|senders)(\/|$)/, 'Use /v1/domains.'],
]

/** Says what to use instead of another part of Postmark's API. Undefined for what is in neither API. */
export function missingAt({ method, url }: FastifyRequest): string | undefined {
  const path = url.split('?')[0]!.slice('/postmark'.length)
  const found = missing.find(([pattern]) => pattern.test(path))
  return found && `Posthorn has no ${method} ${path.slice(0, 200)}. ${found[1]}`
}
