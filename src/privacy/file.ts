import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { App } from '../context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { SecretUnknown } from '../platform/sealed/seal.ts'
import { type ExportPart, listExportParts, readExportPart } from './export-parts.ts'
import { findPrivacyRequest } from './queries.ts'

/** How long the file of an export is kept after its end. */
export const fileKeptMs = 24 * 3_600_000

/**
 * Returns the zip file of an export, with one JSON file for each kind of row, made a part at a time as it is read.
 * Throws `notFound` a day after its end, and `conflict` if the secret that encrypted it was removed. `refuseEnded` is
 * called before each part; the file breaks off if it throws.
 */
export async function openExportFile(
  app: App,
  teamId: string,
  id: string,
  refuseEnded: () => Promise<void>,
): Promise<Readable> {
  const request = await findPrivacyRequest(app.db, teamId, id)
  if (request?.type !== 'export') throw notFound('file')
  if (request.status === 'running') throw conflict('The export is still running. Ask again when its status is done.')
  const { finishedAt: mtime } = request
  if (!mtime || app.clock.now().getTime() - mtime.getTime() > fileKeptMs) throw notFound('file')
  const parts = await listExportParts(app.db, teamId, id)
  const read = ({ position }: ExportPart) => readExportPart(app, teamId, id, position)
  await refuseUnreadable(parts, read)
  async function readNext(part: ExportPart): Promise<object[]> {
    await refuseEnded()
    return read(part)
  }
  const zip = new ZipFile()
  const about = { id, createdAt: request.createdAt, counts: request.counts }
  zip.addBuffer(Buffer.from(JSON.stringify(about, null, 2)), 'request.json', { mtime })
  for (const [name, ofName] of Map.groupBy(parts, (part) => part.name)) {
    zip.addReadStreamLazy(`${name}.json`, { mtime }, (give) => give(null, Readable.from(writeRows(ofName, readNext))))
  }
  zip.end()
  const file = zip.outputStream as Readable
  zip.on('error', (error: Error) => file.destroy(error))
  return file
}

type Read = (part: ExportPart) => Promise<object[]>

/** Reads one part of each secret before the answer begins, so that it can still be a refusal. */
async function refuseUnreadable(parts: ExportPart[], read: Read): Promise<void> {
  const ofEachSecret = new Map(parts.map((part) => [part.head, part])).values()
  try {
    for (const part of ofEachSecret) await read(part)
  } catch (error) {
    if (!(error instanceof SecretUnknown)) throw error
    throw conflict(
      'This export can no longer be read: the secret that encrypted it was removed from the server. Request the export again.',
      'export_unreadable',
    )
  }
}

/** Writes the rows of parts as one indented JSON array. */
async function* writeRows(parts: ExportPart[], read: Read): AsyncGenerator<string> {
  let before = '[\n'
  for (const part of parts) {
    const rows = await read(part)
    yield before + rows.map((row) => JSON.stringify(row, null, 2).replace(/^/gm, '  ')).join(',\n')
    before = ',\n'
  }
  yield '\n]'
}
