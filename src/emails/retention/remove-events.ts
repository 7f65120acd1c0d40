import { removeEventsByAge } from '../../platform/retention/remove-page.ts'

/** Removes old events of emails. */
export const removeEmailEvents = removeEventsByAge('email_events', 'email_id')
