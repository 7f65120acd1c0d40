import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Caller, Db } from '../context.ts'
import { invalid, orNotFound } from '../platform/errors.ts'
import { Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { isAddress, normalizeAddress } from '../platform/text/mail-address.ts'
import { addSuppression } from '../suppressions/add.ts'
import { deleteSuppression } from '../suppressions/delete.ts'
import type { SuppressionReason } from '../suppressions/table.ts'
import { listOf, pageFields, readRows } from './pages.ts'
import { iso } from './times.ts'

const Email = Text({ minLength: 1, maxLength: 320 })
const Emails = Type.Array(Email, { minItems: 1, maxItems: 100 })
const Origin = TextEnum('bounce', 'complaint', 'manual')

export const SuppressionBody = Strict({ email: Email })
export const BatchAddBody = Strict({ emails: Emails })
export const BatchRemoveBody = Strict({
  emails: Type.Optional(Emails),
  ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 100 })),
})
export const SuppressionQuery = Strict({ ...pageFields, origin: Type.Optional(Origin) })

type Row = { id: string; email: string; reason: SuppressionReason; createdAt: Date }

/** Our entry as theirs. Who unsubscribed shows as blocked by hand. */
function theirSuppression({ id, email, reason, createdAt }: Row) {
  const origin = reason === 'unsubscribe' ? 'manual' : reason
  return { id, email, origin, source_id: null, created_at: iso(createdAt) }
}

const columns = sql`id, email, reason, created_at as "createdAt"`

function findTheirs(db: Db, teamId: string, one: string): Promise<Row> {
  const is = isUuid(one) ? sql`id = ${one}` : sql`email_normalized = ${normalizeAddress(one)}`
  const found = sql<Row>`select ${columns} from suppressions where team_id = ${teamId} and ${is}`.execute(db)
  return orNotFound(
    'suppression',
    found.then(({ rows }) => rows[0]),
  )
}

export async function addTheirSuppression(
  app: App,
  { teamId }: Caller,
  { body: { email } }: { body: { email: string } },
) {
  return { object: 'suppression', id: (await addSuppression(app, teamId, email)).id }
}

export async function addTheirSuppressions(
  app: App,
  caller: Caller,
  { body: { emails } }: { body: Static<typeof BatchAddBody> },
) {
  const bad = emails.findIndex((email) => !isAddress(email))
  if (bad !== -1) throw invalid(`emails[${bad}]`, 'must be one bare address, such as ada@example.com')
  const data: object[] = []
  for (const email of emails) data.push(await addTheirSuppression(app, caller, { body: { email } }))
  return { data }
}

export async function listTheirSuppressions(
  app: App,
  { teamId }: Caller,
  { query: { origin, ...query } }: { query: Static<typeof SuppressionQuery> },
) {
  const reasons = origin === 'manual' ? ['manual', 'unsubscribe'] : [origin]
  const isWanted = origin ? sql`reason = any(${reasons}::text[])` : sql`true`
  const rows = sql<Row>`select ${columns} from suppressions where team_id = ${teamId} and ${isWanted}`
  const { data, hasMore } = await readRows(app, query, rows)
  return listOf(data.map(theirSuppression), hasMore)
}

export async function getTheirSuppression(app: App, { teamId }: Caller, { id: one }: { id: string }) {
  return { object: 'suppression', ...theirSuppression(await findTheirs(app.db, teamId, one)) }
}

export async function deleteTheirSuppression(app: App, { teamId }: Caller, { id: one }: { id: string }) {
  const { id } = await findTheirs(app.db, teamId, one)
  return { object: 'suppression', ...(await deleteSuppression(app, teamId, id)) }
}

/** Throws `notFound` for an unknown one; then none is removed. */
export async function deleteTheirSuppressions(
  app: App,
  { teamId }: Caller,
  { body: { emails, ids } }: { body: Static<typeof BatchRemoveBody> },
) {
  if ((emails === undefined) === (ids === undefined)) throw invalid('emails', 'or ids must be given, and not both')
  const found: Row[] = []
  for (const one of emails ?? ids!) found.push(await findTheirs(app.db, teamId, one))
  const data: object[] = []
  for (const id of new Set(found.map((row) => row.id))) {
    data.push({ object: 'suppression', ...(await deleteSuppression(app, teamId, id)) })
  }
  return { data }
}
