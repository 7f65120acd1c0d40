import type { App } from '../../context.ts'
import { newValues, recordChange } from '../../platform/audit/record.ts'
import { withTestMark } from '../../platform/mode/other-mode.ts'
import { refuseStorage } from '../../teams/bounds/refuse-storage.ts'
import { refuseBadLanguage } from './language.ts'
import { countVariables } from './placeholders.ts'
import { templateColumns } from './queries.ts'
import { duplicateTemplate, refuseBadName, refuseLargeComponents } from './rules.ts'
import type { NewTemplate } from './schema.ts'

/**
 * Creates a draft, in test mode one that live keys do not see. Throws `conflict` if the team has a template of that
 * name and language.
 */
export function createTemplate(app: App, teamId: string, given: NewTemplate) {
  const { name, body, category = 'utility', language = 'en', components = null } = given
  refuseBadName(name)
  const variableCount = countVariables(body)
  refuseBadLanguage(language)
  refuseLargeComponents(components)
  return app.transaction(async (tx) => {
    await refuseStorage(tx.db, teamId)
    const made = await tx.db
      .insertInto('whatsapp_templates')
      .values({
        team_id: teamId,
        id: tx.newId(),
        name,
        language,
        category,
        body,
        variable_count: variableCount,
        components: components && JSON.stringify(components),
        status: 'draft',
        provider_ref: null,
        rejection_reason: null,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .onConflict((existing) => existing.doNothing())
      .returning(templateColumns)
      .executeTakeFirstOrThrow(() => duplicateTemplate(name, language))
    const target = { type: 'whatsapp_template', id: made.id, name }
    const changes = newValues({ language, category })
    await recordChange(tx, { teamId, action: 'whatsapp_template.created', target, changes })
    return withTestMark(made)
  })
}
