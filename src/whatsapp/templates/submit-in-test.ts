import type { App } from '../../context.ts'
import { orNotFound } from '../../platform/errors.ts'
import { findTemplate } from './queries.ts'

/**
 * Returns the template as if it were submitted. Test mode sends every template; the provider is not asked, and nothing
 * changes. Throws `notFound`.
 */
export async function submitTemplateInTest(app: App, teamId: string, id: string) {
  const template = await orNotFound('WhatsApp template', findTemplate(app.db, teamId, id))
  return { ...template, status: 'submitted' as const, rejectionReason: null }
}
