import type { Removal } from '../platform/retention/removal.ts'
import { removeOldEventsInTeam } from '../platform/retention/remove-in-team.ts'
import { noteRemovedEvents, removedEventColumns } from './retention/note-removed-events.ts'
import { removeEmailBodies } from './retention/remove-bodies.ts'
import { removeEmails } from './retention/remove-emails.ts'

const note = { columns: removedEventColumns, noted: noteRemovedEvents }

export const emailRemovals: Removal[] = [
  { name: 'emails', days: 'emailsDays', remove: removeEmails },
  { name: 'email-bodies', days: 'emailBodiesDays', remove: removeEmailBodies },
  { name: 'email-events', days: 'eventsDays', remove: removeOldEventsInTeam('email_events', 'email_id', note) },
]
