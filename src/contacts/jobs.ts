import { systemJob } from '../platform/jobs/job.ts'

/** Where the pass over the contacts of all teams is. */
export type ContactPlace = { teamId: string; id: string }

/**
 * Notes which contacts from before migration 0095 are erased persons. The migration 0096 adds it, once. Run by
 * `contacts/note-earlier-erasures.ts`.
 */
export const noteEarlierErasuresJob = systemJob<Partial<ContactPlace>>('contacts.mark-erased')
