import type { FastifyReply } from 'fastify'
import type { App, Db } from '../context.ts'
import { sendCsv } from '../platform/csv/send.ts'
import { runHeavyRead } from '../platform/http/overload/heavy-reads.ts'
import { bytesOf, takeContent } from '../platform/pagination.ts'
import { textNames } from './fields.ts'
import { findFilter } from './list.ts'
import { type ContactRow, newestContacts, type PageOfContacts } from './queries.ts'
import type { ContactExportQuery } from './schema.ts'
import { searchContacts } from './search.ts'

const pageMax = 500

/** Sends all contacts that pass the filter as CSV, newest first. A page is at most 4 MiB of content. */
export async function exportContacts(
  app: App,
  teamId: string,
  { search, ...given }: ContactExportQuery,
  reply: FastifyReply,
) {
  const filter = await findFilter(app.db, teamId, given)
  return sendCsv<ContactRow>(reply, {
    name: 'contacts',
    header: ['id', 'email', ...textNames, 'unsubscribed', 'properties', 'createdAt', 'updatedAt'],
    read: (after) =>
      runHeavyRead(app, teamId, 'longRead', () =>
        readPage(app.db, search, { ...filter, teamId, before: after?.id ?? null, limit: pageMax }),
      ),
    cells: ({ id, email, unsubscribed, properties, createdAt, updatedAt, ...texts }) => [
      ...[id, email, ...textNames.map((name) => texts[name] ?? '')],
      ...[String(unsubscribed), JSON.stringify(properties), createdAt.toISOString(), updatedAt.toISOString()],
    ],
  })
}

async function readPage(db: Db, search: string | undefined, page: PageOfContacts): Promise<ContactRow[]> {
  if (search) return (await searchContacts(db, search, page)).rows
  const bytes = bytesOf('email', ...textNames, 'properties')
  return (await takeContent(db, newestContacts(page), { limit: page.limit, bytes })).rows
}
