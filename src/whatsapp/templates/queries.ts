import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
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

/** Finds templates by team and id. */
export async function findSendingTemplates(
  db: Db,
  wanted: { teamId: string; id: string }[],
): Promise<SendingTemplate[]> {
  const { rows } = await sql<SendingTemplate>`
    select template.team_id as "teamId", template.id, name, language, status, body, variable_count as "variableCount", components
    from ${rowsOf(wanted, { teamId: 'uuid', id: 'uuid' }).as('wanted')}
    join whatsapp_templates as template on template.team_id = wanted.team_id and template.id = wanted.id
  `.execute(db)
  return rows
}
