import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import type { DomainError } from '../../platform/errors.ts'
import { isTestTeam, liveTeamOf, modeColumn, teamsReadBy } from '../../platform/mode/mode.ts'
import { notOfMode, withTestMark } from '../../platform/mode/other-mode.ts'
import { bytesOf, type PageQuery, readPage } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import type { WhatsappTemplateCategory, WhatsappTemplateStatus } from './table.ts'

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
  modeColumn,
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** Finds a template that the caller reads: in test mode also a live one. */
export async function findTemplate(db: Db, teamId: string, id: string) {
  const template = await templatesReadBy(db, teamId).where('id', '=', id).executeTakeFirst()
  return template && withTestMark(template)
}

/** Newest first; in test mode those of both modes. */
export async function listTemplatesOfTeam(app: App, teamId: string, query: PageQuery) {
  const bytes = bytesOf('name', 'body', 'components', 'rejectionReason')
  const rows = templatesReadBy(app.db, teamId)
  const page = await readPage(app, { list: 'whatsapp templates', teamId }, query, rows, { bytes })
  return { ...page, data: page.data.map(withTestMark) }
}

function templatesReadBy(db: Db, teamId: string) {
  return db
    .selectFrom('whatsapp_templates')
    .select(templateColumns)
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamsReadBy(teamId))))
}

/** Returns the refusal to change a template that the team does not have in this mode. */
export function notOwnTemplate(db: Db, teamId: string, id: string): Promise<DomainError> {
  const noun = 'WhatsApp template'
  return notOfMode(db, teamId, id, { table: 'whatsapp_templates', noun, may: 'read and sent' })
}

export type SendingTemplate = {
  teamId: string
  id: string
  name: string
  language: string
  category: WhatsappTemplateCategory
  status: WhatsappTemplateStatus
  body: string
  variableCount: number
  components: Record<string, unknown> | null
}

/** Finds templates by team and id. For a test team its own and those of the live team are found, all approved. */
export async function findSendingTemplates(
  db: Db,
  wanted: { teamId: string; id: string }[],
): Promise<SendingTemplate[]> {
  const owned = wanted.map((template) => ({ ...template, liveId: liveTeamOf(template.teamId) }))
  const { rows } = await sql<SendingTemplate>`
    select wanted.team_id as "teamId", template.id, name, language, category, status, body, variable_count as "variableCount", components
    from ${rowsOf(owned, { teamId: 'uuid', liveId: 'uuid', id: 'uuid' }).as('wanted')}
    join whatsapp_templates as template on template.team_id in (wanted.team_id, wanted.live_id) and template.id = wanted.id
  `.execute(db)
  return rows.map((template) => (isTestTeam(template.teamId) ? { ...template, status: 'approved' } : template))
}
