import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findSegment } from './queries.ts'

export async function getSegment(app: App, teamId: string, id: string) {
  const segment = await findSegment(app.db, teamId, id)
  if (!segment) throw notFound('segment')
  return segment
}
