import type { App } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { invitationsOf } from './queries.ts'

/** Returns a page of the open invitations, newest first. */
export function listInvitations(app: App, teamId: string, query: PageQuery) {
  return readPage(app, { list: 'invitations', teamId }, query, invitationsOf(app.db, teamId, app.clock.now()))
}
