import type { App } from '../../context.ts'
import { recordUpdate } from '../../platform/audit/record.ts'
import { withTestMark } from '../../platform/mode/other-mode.ts'
import { refuseStorage } from '../../teams/bounds/refuse-storage.ts'
import { refuseBadLanguage } from './language.ts'
import { countVariables } from './placeholders.ts'
import { notOwnTemplate, templateColumns } from './queries.ts'
import { duplicateTemplate, editable, lockedTemplate, refuseLargeComponents } from './rules.ts'
import type { TemplateChanges } from './schema.ts'
import { isSubmitting } from './submit.ts'

/**
 * Edits a template. A rejected one stays rejected until it is submitted again. Throws `conflict` if it is locked or
 * would be a duplicate.
 */
export async function updateTemplate(app: App, teamId: string, id: string, changes: TemplateChanges) {
  const columns = columnsOf(changes)
  const { language } = changes
  try {
    return await app.transaction(async (tx) => {
      if (changes.body || changes.components) await refuseStorage(tx.db, teamId)
      const before = await tx.db
        .selectFrom('whatsapp_templates')
        .select(['status', 'language', 'category', 'body', 'components'])
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!before) throw await notOwnTemplate(tx.db, teamId, id)
      const isLocked = !editable.includes(before.status) || (await isSubmitting(tx, id))
      if (isLocked) throw lockedTemplate(before.status, 'edited')
      const after = await tx.db
        .updateTable('whatsapp_templates')
        .set({
          ...columns,
          ...(language !== undefined && language.toLowerCase() !== before.language.toLowerCase() && inNoAccount),
          updated_at: tx.now,
        })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .returning(templateColumns)
        .executeTakeFirstOrThrow()
      const target = { type: 'whatsapp_template', id: after.id, name: after.name }
      const { language: written, category, body, components } = after
      const changed = { language: written, category, body, components }
      const change = { teamId, action: 'whatsapp_template.updated', target } as const
      await recordUpdate(tx, change, before, changed, ['body', 'components'])
      return withTestMark(after)
    })
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'whatsapp_templates_name') throw error
    throw duplicateTemplate('of this name', language!)
  }
}

/** A template whose language changes is a different template at WhatsApp. */
const inNoAccount = { waba_id: null, provider_ref: null }

function columnsOf({ body, category, language, components }: TemplateChanges) {
  if (language !== undefined) refuseBadLanguage(language)
  refuseLargeComponents(components)
  return {
    ...(body !== undefined && { body, variable_count: countVariables(body) }),
    ...(category !== undefined && { category }),
    ...(language !== undefined && { language }),
    ...(components !== undefined && { components: components && JSON.stringify(components) }),
  }
}
