import type { FastifyReply } from 'fastify'
import type { App } from '../context.ts'
import { sendCsv } from '../platform/csv/send.ts'
import { runHeavyRead } from '../platform/http/overload/heavy-reads.ts'
import { bytesOf, takeContent } from '../platform/pagination.ts'
import { textNames } from './fields.ts'
import { findFilter } from './list.ts'
import { type ContactFilter, type ContactRow, newestContacts } from './queries.ts'

const pageMax = 500

/** Sends all contacts that pass the filter as CSV, newest first. A page is at most 4 MiB of content. */
export async function exportContacts(app: App, teamId: string, given: ContactFilter, reply: FastifyReply) {
  const filter = await findFilter(app.db, teamId, given)
  return sendCsv<ContactRow>(reply, {
    name: 'contacts',
    header: ['id', 'email', ...textNames, 'unsubscribed', 'properties', 'createdAt', 'updatedAt'],
    read: (after) =>
      runHeavyRead(app, teamId, 'longRead', () => readPage(app, { ...filter, teamId, before: after?.id ?? null })),
    cells: ({ id, email, unsubscribed, properties, createdAt, updatedAt, ...texts }) => [
      ...[id, email, ...textNames.map((name) => texts[name] ?? '')],
      ...[String(unsubscribed), JSON.stringify(properties), createdAt.toISOString(), updatedAt.toISOString()],
    ],
  })
}

async function readPage(
  app: App,
  page: ContactFilter & { teamId: string; before: string | null },
): Promise<ContactRow[]> {
  const rows = newestContacts({ ...page, limit: pageMax })
  const bytes = bytesOf('email', ...textNames, 'properties')
  return (await takeContent(app.db, rows, { limit: pageMax, bytes })).rows
}
