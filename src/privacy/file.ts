import type { App } from '../context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { SecretUnknown } from '../platform/sealed/seal.ts'
import { readExportParts } from './export-parts.ts'
import { findPrivacyRequest } from './queries.ts'
import { zipOf } from './zip.ts'

/** How long the file of an export is kept after its end. */
export const fileKeptMs = 24 * 3_600_000

/**
 * Returns the zip file of an export, with one JSON file for each kind of row. Throws `notFound` a day after its end,
 * and `conflict` if the secret that encrypted it was removed.
 */
export async function readExportFile(app: App, teamId: string, id: string): Promise<Buffer> {
  const request = await findPrivacyRequest(app.db, teamId, id)
  if (request?.type !== 'export') throw notFound('file')
  if (request.status === 'running') throw conflict('The export is still running. Ask again when its status is done.')
  const { finishedAt } = request
  if (!finishedAt || app.clock.now().getTime() - finishedAt.getTime() > fileKeptMs) throw notFound('file')
  const byName = await readExportParts(app, teamId, id).catch((error: unknown) => {
    if (!(error instanceof SecretUnknown)) throw error
    throw conflict(
      'This export can no longer be read: the secret that encrypted it was removed from the server. Request the export again.',
      'export_unreadable',
    )
  })
  const files = [...byName].map(([name, rows]) => ({ name: `${name}.json`, text: JSON.stringify(rows, null, 2) }))
  const about = { id, createdAt: request.createdAt, counts: request.counts }
  return zipOf([{ name: 'request.json', text: JSON.stringify(about, null, 2) }, ...files], finishedAt)
}
