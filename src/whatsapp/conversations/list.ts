import type { App } from '../../context.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { listConversationsOfTeam } from './queries.ts'
import { withWindow } from './window.ts'

/** Lists a page of conversations, the one with the latest message first. */
export async function listConversations(app: App, teamId: string, query: PageQuery) {
  const { data, ...page } = await listConversationsOfTeam(app, teamId, query)
  return { data: data.map((row) => withWindow(app, row)), ...page }
}
