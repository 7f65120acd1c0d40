import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Db } from '../context.ts'
import { subjectMax } from '../emails/bounds.ts'
import { mailboxFault } from '../emails/mailbox.ts'
import { invalid, notFound, orNotFound } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { documentMax, Name, Nullable, Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { teamsReadBy } from '../platform/mode/mode.ts'
import { firstCharacters } from '../platform/text/cut.ts'
import { insertTemplate } from '../templates/create.ts'
import { removeTemplate } from '../templates/delete.ts'
import { findTemplate, templatesReadBy } from '../templates/queries.ts'
import { changeTemplate } from '../templates/update.ts'
import { Addresses, addressesIn, type EmailBody } from './email-body.ts'
import { deleteExtras, findExtras, isTaken, writeExtras } from './extras.ts'
import { readRow, readRows } from './pages.ts'
import { asRead, lists, rowsOf } from './route-like.ts'

const Variable = Strict({
  key: Type.String({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9_]+$' }),
  type: TextEnum('string', 'number'),
  fallback_value: Type.Optional(
    Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 2000 }),
  ),
})

const NewTemplate = Strict({
  name: Name({ maxLength: 200 }),
  html: Text({ minLength: 1, maxLength: documentMax }),
  text: Type.Optional(Nullable(Text({ maxLength: documentMax }))),
  subject: Type.Optional(Nullable(Text({ maxLength: subjectMax }))),
  alias: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }))),
  from: Type.Optional(Nullable(Text({ minLength: 1, maxLength: 1000 }))),
  reply_to: Type.Optional(Addresses),
  variables: Type.Optional(Type.Array(Variable, { maxItems: 50 })),
})
const TemplateChanges = Type.Partial(NewTemplate, { additionalProperties: false })
type Changes = Static<typeof TemplateChanges>

/** The fields that only a template of Resend has. */
type TemplateExtra = {
  subject: string | null
  from: string | null
  reply_to: string[] | null
  variables: (Required<Static<typeof Variable>> & { created_at: Date; updated_at: Date })[]
}

/**
 * Returns the fields that only a template of Resend has. Throws `invalid` for a malformed address and a taken alias.
 */
async function extraOf(app: App, teamId: string, given: Changes, id?: string): Promise<Partial<TemplateExtra>> {
  const { subject, from, variables, alias } = given
  if (alias && isUuid(alias)) throw invalid('alias', 'must not look like an id')
  const reply_to = addressesIn(given.reply_to)
  refuseFaulty('from', from ? [from] : [])
  refuseFaulty('replyTo', reply_to ?? [])
  const at = app.clock.now()
  const declared = variables?.map(({ key, type, fallback_value = null }) => {
    if (fallback_value !== null && typeof fallback_value !== type)
      throw invalid('variables', `has a fallback of ${key} that is no ${type}`)
    return { key, type, fallback_value, created_at: at, updated_at: at }
  })
  if (alias && (await isTaken(app.db, { teamId, noun: 'template', alias, id })))
    throw invalid('alias', 'is the alias of another template of this team')
  return { subject, from, reply_to, variables: declared }
}

function refuseFaulty(path: string, addresses: string[]): void {
  for (const text of addresses) {
    const fault = mailboxFault(text)
    if (fault !== null) throw invalid(path, fault)
  }
}

/** The columns of a template that a list leaves out. */
const whole = sql`,
  extra->>'subject' as subject, coalesce(html, '') as html, text, extra->>'from' as "from", extra->'reply_to' as reply_to,
  coalesce(extra->'variables', '[]') as variables, status = 'draft' as has_unpublished_versions,
  template.id as current_version_id
`

/** Selects the templates that a team reads, with what Resend's have beyond ours. */
function templatesOf(db: Db, teamId: string, more = sql``) {
  return sql<{ id: string }>`
    select template.id, name, status, alias,
      case when status = 'published' then coalesce((extra->>'published_at')::timestamptz, updated_at) end as published_at,
      template.created_at, updated_at ${more}
    from (${templatesReadBy(db, teamId).selectAll()}) as template
    left join resend_extras as extras on extras.team_id = template.team_id and extras.id = template.id
  `
}

/** Finds a template by its id or its alias. Throws `notFound`. */
async function findTheirs(app: App, teamId: string, one: string) {
  const id = isUuid(one) ? one : (await findExtras(app.db, teamsReadBy(teamId), 'template', one))?.id
  if (id === undefined) throw notFound('template')
  return orNotFound('template', findTemplate(app.db, teamId, id))
}

const noun = 'template'
const { shows } = rowsOf(noun)

export const theirTemplateRoutes: Route[] = [
  shows('createTemplate', 'POST /templates', NewTemplate, async ({ app, teamId, body }) => {
    const { name, html, text = null, alias = null } = body
    const extra = await extraOf(app, teamId, body)
    return app.transaction(async (tx) => {
      const { id } = await insertTemplate(tx, teamId, { name, html, text })
      await writeExtras(tx, { teamId, id, noun, alias, extra })
      return { id }
    })
  }),
  lists('listTemplates', '/templates', asRead, ({ app, teamId, query }) =>
    readRows(app, teamId, query, templatesOf(app.db, teamId)),
  ),
  shows('getTemplate', 'GET /templates/:template', async ({ app, teamId, template }) => {
    const { id } = await findTheirs(app, teamId, template)
    return readRow(app.db, noun, sql`${templatesOf(app.db, teamId, whole)} where template.id = ${id}`)
  }),
  shows('updateTemplate', 'PATCH /templates/:template', TemplateChanges, async ({ app, teamId, template, body }) => {
    const { id } = await findTheirs(app, teamId, template)
    const { name, html, text, alias } = body
    const extra = await extraOf(app, teamId, body, id)
    await app.transaction(async (tx) => {
      await changeTemplate(tx, teamId, id, { name, html, text }, null)
      await writeExtras(tx, { teamId, id, noun, alias, extra })
    })
    return { id }
  }),
  shows('updateTemplate', 'POST /templates/:template/publish', async ({ app, teamId, template }) => {
    const { id } = await findTheirs(app, teamId, template)
    await app.transaction(async (tx) => {
      const { updatedAt } = await changeTemplate(tx, teamId, id, { status: 'published' }, null)
      await writeExtras(tx, { teamId, id, noun, extra: { published_at: updatedAt } })
    })
    return { id }
  }),
  shows('createTemplate', 'POST /templates/:template/duplicate', async ({ app, teamId, template }) => {
    const { id: from, name, html, text } = await findTheirs(app, teamId, template)
    const found = await findExtras<{ published_at: string }>(app.db, teamsReadBy(teamId), noun, from)
    return app.transaction(async (tx) => {
      const { id } = await insertTemplate(tx, teamId, { name: `${firstCharacters(name, 190)} (Copy)`, html, text })
      await writeExtras(tx, { teamId, id, noun, alias: null, extra: { ...found?.extra, published_at: undefined } })
      return { id }
    })
  }),
  shows('deleteTemplate', 'DELETE /templates/:template', async ({ app, teamId, template }) => {
    const { id } = await findTheirs(app, teamId, template)
    return app.transaction(async (tx) => {
      const deleted = await removeTemplate(tx, teamId, id)
      await deleteExtras(tx, teamId, id)
      return deleted
    })
  }),
]

/** An email with what its template fills in. `missing` is the first declared variable that has no value. */
export type FilledEmail = EmailBody & { missing?: string }

/** Fills in what an email leaves to its template: from, subject, reply_to, and the fallbacks of variables. */
export async function filledByTemplate(db: Db, teamId: string, body: EmailBody): Promise<FilledEmail> {
  if (!body.template) return body
  const { id: given, variables = {} } = body.template
  const found = await findExtras<TemplateExtra>(db, teamsReadBy(teamId), 'template', given)
  const { id = isUuid(given) ? given.toLowerCase() : given, extra = {} } = found ?? {}
  const declared = extra.variables ?? []
  const fallbacks = declared.flatMap(({ key, fallback_value: value }) =>
    value === null ? [] : [[key, value] as const],
  )
  const from = body.from ?? extra.from
  const subject = body.subject ?? extra.subject
  const replyTo = body.reply_to ?? extra.reply_to
  return {
    ...body,
    ...(from && { from }),
    ...(typeof subject === 'string' && { subject }),
    ...(replyTo && { reply_to: replyTo }),
    template: { id, variables: { ...Object.fromEntries(fallbacks), ...variables } },
    missing: declared.find(({ key, fallback_value }) => fallback_value === null && !Object.hasOwn(variables, key))?.key,
  }
}
