import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { isTestTeam, liveTeamOf } from '../../platform/mode.ts'
import { bytesOf, type PageQuery, readPage } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql-rows.ts'
import type { WhatsappTemplateStatus } from './table.ts'

export const templateColumns = [
  'id',
  'name',
  'language',
  'category',
  'status',
  'body',
  'variable_count as variableCount',
  'components',
  'provider_ref as providerRef',
  'rejection_reason as rejectionReason',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export function findTemplate(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('whatsapp_templates')
    .select(templateColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first. */
export function listTemplatesOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('whatsapp_templates').select(templateColumns).where('team_id', '=', teamId)
  const bytes = bytesOf('name', 'body', 'components', 'rejectionReason')
  return readPage(app, { list: 'whatsapp templates', teamId }, query, rows, { bytes })
}

export type SendingTemplate = {
  teamId: string
  id: string
  name: string
  language: string
  status: WhatsappTemplateStatus
  body: string
  variableCount: number
  components: Record<string, unknown> | null
}

/** Finds templates by team and id. For a test team a template of the live team is found, and approved. */
export async function findSendingTemplates(
  db: Db,
  wanted: { teamId: string; id: string }[],
): Promise<SendingTemplate[]> {
  const owned = wanted.map((template) => ({ ...template, ownerId: liveTeamOf(template.teamId) }))
  const { rows } = await sql<SendingTemplate>`
    select wanted.team_id as "teamId", template.id, name, language, status, body, variable_count as "variableCount", components
    from ${rowsOf(owned, { teamId: 'uuid', ownerId: 'uuid', id: 'uuid' }).as('wanted')}
    join whatsapp_templates as template on template.team_id = wanted.owner_id and template.id = wanted.id
  `.execute(db)
  return rows.map((template) => (isTestTeam(template.teamId) ? { ...template, status: 'approved' } : template))
}
