import type { Removal } from '../platform/retention/removal.ts'
import { removeEventsByAge } from '../platform/retention/remove-page.ts'
import { removeEmailBodies } from './retention/remove-bodies.ts'
import { removeEmails } from './retention/remove-emails.ts'

export const emailRemovals: Removal[] = [
  { name: 'emails', days: 'emailsDays', remove: removeEmails },
  { name: 'email-bodies', days: 'emailBodiesDays', remove: removeEmailBodies },
  { name: 'email-events', days: 'eventsDays', remove: removeEventsByAge('email_events', 'email_id') },
]
