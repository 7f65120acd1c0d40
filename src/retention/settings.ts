import * as kind from '../platform/environment/parsers.ts'
import type { Settings } from '../platform/environment/settings.ts'

/** The defaults of retention; teams change them with `PATCH /v1/team/retention`. */
export const retentionSettings = {
  retentionEmailBodiesDays: {
    variable: 'RETENTION_EMAIL_BODIES_DAYS',
    kind: kind.days(0),
    unset: 'kept for ever',
    about: 'Days for which HTML, text and attachments of emails are kept; `0` removes them once the email is sent.',
  },
  retentionEmailsDays: {
    variable: 'RETENTION_EMAILS_DAYS',
    kind: kind.days(1),
    unset: 'kept for ever',
    about: 'Days for which emails are kept.',
  },
  retentionEventsDays: {
    variable: 'RETENTION_EVENTS_DAYS',
    kind: kind.days(1),
    unset: 'kept for ever',
    about: 'Days for which events of messages are kept.',
  },
  retentionMessagesDays: {
    variable: 'RETENTION_MESSAGES_DAYS',
    kind: kind.days(1),
    unset: 'kept for ever',
    about: 'Days for which SMS and WhatsApp messages are kept.',
  },
  retentionExecutionsDays: {
    variable: 'RETENTION_EXECUTIONS_DAYS',
    kind: kind.days(1),
    unset: 'kept for ever',
    about: 'Days for which ended workflow executions are kept.',
  },
  retentionInboxDays: {
    variable: 'RETENTION_INBOX_DAYS',
    kind: kind.days(1),
    unset: 'kept for ever',
    about: 'Days for which the inbox keeps captured messages; the newest 10,000 of a team in any case.',
  },
} satisfies Settings
