import type { App, Tx } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { withTestMark } from '../platform/mode/other-mode.ts'
import { type KnownVersions, refuseOtherVersion } from '../platform/version.ts'
import { refuseStorage } from '../teams/bounds/refuse-storage.ts'
import { lockTemplate, notOwnTemplate, templateColumns } from './queries.ts'
import type { TemplateChanges } from './schema.ts'

/**
 * Updates a template, if it still has one of the known versions. Emails accepted before keep their rendered content.
 */
export function updateTemplate(app: App, teamId: string, id: string, changes: TemplateChanges, known: KnownVersions) {
  return app.transaction((tx) => changeTemplate(tx, teamId, id, changes, known))
}

/** Does what `updateTemplate` does in a unit of work of the caller. */
export async function changeTemplate(
  tx: Tx,
  teamId: string,
  id: string,
  changes: TemplateChanges,
  known: KnownVersions,
) {
  const { name, html, text, status } = changes
  if (html || text) await refuseStorage(tx.db, teamId)
  const before = await lockTemplate(tx, teamId, id)
  if (before) refuseOtherVersion(known, before)
  const changed = await tx.db
    .updateTable('templates')
    .set({
      ...(name !== undefined && { name }),
      ...(html !== undefined && { html }),
      ...(text !== undefined && { text }),
      ...(status !== undefined && { status }),
      updated_at: tx.now,
    })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning(templateColumns)
    .executeTakeFirst()
  if (!before || !changed) throw await notOwnTemplate(tx.db, teamId, id)
  const action = before.status !== 'published' && status === 'published' ? 'template.published' : 'template.updated'
  const target = { type: 'template', id: changed.id, name: changed.name }
  const { updatedAt: _updatedAt, mode: _mode, ...after } = changed
  await recordUpdate(tx, { teamId, action, target }, before, after, ['html', 'text'])
  return withTestMark(changed)
}
