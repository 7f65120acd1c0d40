import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../context.ts'
import { invalid } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { isAddress, normalizeAddress } from '../platform/text/mail-address.ts'
import { addSuppression } from '../suppressions/add.ts'
import { deleteSuppression } from '../suppressions/delete.ts'
import { pageFields, readRow, readRows } from './pages.ts'
import { asRead, like, lists, rowsOf } from './route-like.ts'

const Email = Text({ minLength: 1, maxLength: 320 })
const Emails = Type.Array(Email, { minItems: 1, maxItems: 100 })
const NewSuppression = Strict({ email: Email })
const NewSuppressions = Strict({ emails: Emails })
const OldSuppressions = Strict({
  emails: Type.Optional(Emails),
  ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 100 })),
})
const SuppressionQuery = Strict({
  ...pageFields,
  origin: Type.Optional(TextEnum('bounce', 'complaint', 'manual')),
})

const object = 'suppression'

/** Resend has no origin for addresses that unsubscribed, so they read `manual`. */
const origin = sql`case reason when 'unsubscribe' then 'manual' else reason end`
const columns = sql`id, email, ${origin} as origin, null as source_id, created_at`

function theirs(teamId: string, one: string): RawBuilder<{ id: string }> {
  const is = isUuid(one) ? sql`id = ${one}` : sql`email_normalized = ${normalizeAddress(one)}`
  return sql`select ${columns} from suppressions where team_id = ${teamId} and ${is}`
}

function findTheirs(db: Db, teamId: string, one: string): Promise<{ id: string }> {
  return readRow(db, object, theirs(teamId, one))
}

const { shows } = rowsOf(object)

export const theirSuppressionRoutes: Route[] = [
  shows('createSuppression', 'POST /suppressions', NewSuppression, async ({ app, teamId, body: { email } }) => {
    const { id } = await addSuppression(app, teamId, email)
    return { id }
  }),
  like('createSuppression', 'POST /suppressions/batch/add', NewSuppressions, async ({ app, teamId, body }) => {
    const emails = body.emails.map((email) => email.trim())
    const bad = emails.findIndex((email) => !isAddress(email))
    if (bad !== -1) throw invalid(`emails[${bad}]`, 'must be one bare address, such as ada@example.com')
    const different = new Map(emails.map((email) => [normalizeAddress(email), email]))
    const data: object[] = []
    for (const email of different.values()) data.push({ object, id: (await addSuppression(app, teamId, email)).id })
    return { data }
  }),
  // Leaves out an unknown one, as Resend does.
  like('deleteSuppression', 'POST /suppressions/batch/remove', OldSuppressions, async ({ app, teamId, body }) => {
    const { emails, ids } = body
    if ((emails === undefined) === (ids === undefined)) throw invalid('emails', 'or ids must be given, and not both')
    const found = new Set<string>()
    for (const one of emails ?? ids!) {
      const { rows } = await theirs(teamId, one.trim()).execute(app.db)
      for (const { id } of rows) found.add(id)
    }
    const data: object[] = []
    for (const id of found) data.push({ object, ...(await deleteSuppression(app, teamId, id)) })
    return { data }
  }),
  lists(
    'listSuppressions',
    '/suppressions',
    asRead,
    ({ app, teamId, query: { origin: wanted = null, ...query } }) => {
      const isWanted = sql`(${wanted}::text is null or ${origin} = ${wanted})`
      const rows = sql<{ id: string }>`select ${columns} from suppressions where team_id = ${teamId} and ${isWanted}`
      return readRows(app, teamId, query, rows)
    },
    SuppressionQuery,
  ),
  shows('getSuppression', 'GET /suppressions/:suppression', ({ app, teamId, suppression }) =>
    findTheirs(app.db, teamId, suppression),
  ),
  shows('deleteSuppression', 'DELETE /suppressions/:suppression', async ({ app, teamId, suppression }) => {
    const { id } = await findTheirs(app.db, teamId, suppression)
    return deleteSuppression(app, teamId, id)
  }),
]
