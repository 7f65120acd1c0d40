import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findTopic } from './queries.ts'

export async function getTopic(app: App, teamId: string, id: string) {
  const topic = await findTopic(app.db, teamId, id)
  if (!topic) throw notFound('topic')
  return topic
}
