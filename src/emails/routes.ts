import { type Route, routesOf } from '../platform/http/route.ts'
import { developers } from '../teams/roles/roles.ts'
import { getEmailBounded, getEmailEvents } from './get.ts'
import { listEmails } from './list/list.ts'
import { cancelEmail } from './messages/cancel.ts'
import { rescheduleEmail } from './messages/reschedule.ts'
import { sendEmail } from './messages/send.ts'
import { sendBatch } from './messages/send-batch.ts'
import { findEmailBytes } from './queries.ts'
import {
  Email,
  EmailBatch,
  EmailEvents,
  EmailListQuery,
  EmailPage,
  RescheduleBody,
  SendBatchBody,
  SendEmailBody,
} from './schema.ts'
import { emailShowRoutes } from './show/routes.ts'

/** 25 MiB of attachments are 34 MiB as base64. */
const bodyLimitBytes = 40 * 1024 * 1024
/** A hundred emails of 500 members each. More would occupy the thread that serves all requests for too long. */
const batchMembersMax = 50_000

const route = routesOf({ access: 'send', inTest: 'apart', tag: 'Emails' }, { roles: developers, changes: 'emails' })

export const emailRoutes: Route[] = [
  route('POST /v1/emails', 'sendEmail', {
    command: null,
    summary: 'Send an email',
    description:
      'Sends at once, or with `scheduledAt` later. Repeat with the same `Idempotency-Key` to be sure it is sent once.',
    body: SendEmailBody,
    response: Email,
    idempotent: true,
    bodyLimitBytes,
    refusals: ['conflict', 'limitExceeded', 'providerFailed'],
    refusalNames: {
      forbidden: ['domain_not_verified'],
      unprocessable: ['recipient_suppressed', 'template_not_published', 'plan_limit_exceeded'],
    },
    handle: ({ app, caller, body, idempotencyKey }) => sendEmail(app, caller, body, idempotencyKey),
  }),
  route('POST /v1/emails/batch', 'sendEmailBatch', {
    sdk: 'emails.sendBatch',
    command: null,
    summary: 'Send a batch of emails',
    description:
      'Validated as a whole before the first is sent, then sent one by one. While the provider cannot be reached, emails wait as `delayed`; with `EMAIL_UNREACHABLE=refuse` the first failure ends the batch, and no later email is tried.',
    body: SendBatchBody,
    response: EmailBatch,
    batchOf: 'emails',
    idempotent: true,
    bodyLimitBytes,
    membersMax: batchMembersMax,
    refusals: ['conflict', 'limitExceeded'],
    refusalNames: {
      forbidden: ['domain_not_verified'],
      unprocessable: ['recipient_suppressed', 'template_not_published', 'plan_limit_exceeded'],
    },
    handle: ({ app, caller, body, idempotencyKey }) => sendBatch(app, caller, body.emails, idempotencyKey),
  }),
  route('GET /v1/emails', 'listEmails', {
    summary: 'List emails',
    description:
      'Newest first. `search` looks in the subject and the from address, `tag` finds emails by a tag they were sent with, `recipient` by an address, `find` by all three texts, `from` and `until` by when they were made.',
    query: EmailListQuery,
    response: EmailPage,
    handle: ({ app, caller, query }) => listEmails(app, caller, query),
  }),
  route('GET /v1/emails/:id', 'getEmail', {
    summary: 'Get an email',
    response: Email,
    // There is no `answerBytes`: the handler reads the size and the email in one query.
    handle: ({ app, caller, params, bounded }) => getEmailBounded(app, caller, params.id, bounded),
  }),
  route('PATCH /v1/emails/:id', 'rescheduleEmail', {
    summary: 'Reschedule an email',
    body: RescheduleBody,
    response: Email,
    refusals: ['conflict', 'forbidden'],
    answerBytes: (app, { teamId }, id) => findEmailBytes(app.db, teamId, id),
    handle: ({ app, caller, params, body }) => rescheduleEmail(app, caller, params.id, body.scheduledAt),
  }),
  route('POST /v1/emails/:id/cancel', 'cancelEmail', {
    summary: 'Cancel a scheduled email',
    response: Email,
    refusals: ['conflict', 'forbidden'],
    answerBytes: (app, { teamId }, id) => findEmailBytes(app.db, teamId, id),
    handle: ({ app, caller, params }) => cancelEmail(app, caller, params.id),
  }),
  route('GET /v1/emails/:id/events', 'listEmailEvents', {
    summary: 'List the events of an email',
    description: 'Newest first: at most 1000, or 4 MiB.',
    response: EmailEvents,
    handle: ({ app, caller, params }) => getEmailEvents(app, caller, params.id),
  }),
  ...emailShowRoutes,
]
