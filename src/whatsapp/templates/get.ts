import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { findTemplate } from './queries.ts'

export async function getTemplate(app: App, teamId: string, id: string) {
  const template = await findTemplate(app.db, teamId, id)
  if (!template) throw notFound('WhatsApp template')
  return template
}
