import type { Unserved } from '../platform/http/dialect.ts'

/** Parts of Resend's API that Posthorn does not have, and what to use instead. */
export const unserved: Unserved = [
  ['GET', /^\/emails\/receiving(\/|$)/, 'Read the mail that the installation keeps with GET /v1/inbox.'],
  ['GET', /^\/emails\/metrics$/, 'Use GET /v1/metrics/emails.'],
  ['POST', /^\/emails\/[^/]+\/share$/, 'Show the email on its page of the dashboard, under /app/emails.'],
  ['GET', /^\/emails\/[^/]+\/attachments(\/|$)/, 'Use GET /v1/emails/{id}/message, which lists the attachments.'],
  ['*', /^\/automations(\/|$)/, 'Use workflows: /v1/workflows.'],
  ['*', /^\/events(\/|$)/, 'Start a workflow with POST /v1/workflows/{id}/executions.'],
  ['*', /^\/contacts\/imports(\/|$)/, 'Use POST /v1/contacts/import, or the command `posthorn contacts import`.'],
  ['*', /^\/contact-properties(\/|$)/, 'Properties of contacts need no declaration: set them on the contact.'],
  ['*', /^\/domains\/(claim|[^/]+\/claim(\/verify)?)$/, 'Add the domain with POST /v1/domains and verify it.'],
  ['GET', /^\/broadcasts\/[^/]+\/recipients$/, 'Use GET /v1/broadcasts/{id}/recipients.'],
  ['GET', /^\/broadcasts\/[^/]+\/clicked-links$/, 'Use GET /v1/broadcasts/{id}/links.'],
  ['*', /^\/inboxes(\/|$)/, 'Read the mail that the installation keeps with GET /v1/inbox.'],
  ['*', /^\/logs(\/|$)/, 'Use GET /v1/requests.'],
  ['*', /^\/oauth(-grants|\/grants)?(\/|$)/, 'Use API keys: /v1/api-keys.'],
  ['GET', /^\/usage$/, 'Use GET /v1/rate-limits and GET /v1/metrics/emails.'],
]
