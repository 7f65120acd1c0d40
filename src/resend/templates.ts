import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Caller } from '../context.ts'
import { subjectMax } from '../emails/bounds.ts'
import { mailboxFault } from '../emails/mailbox.ts'
import { invalid, notFound, orNotFound } from '../platform/errors.ts'
import { documentMax, Name, Nullable, Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { teamsReadBy } from '../platform/mode/mode.ts'
import { createTemplate } from '../templates/create.ts'
import { deleteTemplate } from '../templates/delete.ts'
import { listTemplates } from '../templates/list.ts'
import { findTemplate, templatesReadBy } from '../templates/queries.ts'
import { updateTemplate } from '../templates/update.ts'
import { Addresses } from './email-body.ts'
import { deleteExtras, type Extras, findAliased, findExtras, writeExtras } from './extras.ts'
import type { TemplateExtra } from './filled-by-template.ts'
import { listOf, type PageQuery, readTheirPage } from './pages.ts'
import { iso } from './times.ts'

const Variable = Strict({
  key: Type.String({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9_]+$' }),
  type: TextEnum('string', 'number'),
  fallback_value: Type.Optional(
    Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 2000 }),
  ),
})

const content = {
  html: Text({ minLength: 1, maxLength: documentMax }),
  text: Type.Optional(Nullable(Text({ maxLength: documentMax }))),
  subject: Type.Optional(Nullable(Text({ maxLength: subjectMax }))),
  alias: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }))),
  from: Type.Optional(Nullable(Text({ minLength: 1, maxLength: 1000 }))),
  reply_to: Type.Optional(Addresses),
  variables: Type.Optional(Type.Array(Variable, { maxItems: 50 })),
}
export const NewTemplateBody = Strict({ name: Name({ maxLength: 200 }), ...content })
export const TemplateChangesBody = Strict({
  name: Type.Optional(Name({ maxLength: 200 })),
  ...content,
  html: Type.Optional(content.html),
})
type Changes = Static<typeof TemplateChangesBody>

/** What their template has beyond ours. Throws `invalid` for addresses that are none. */
function extraOf({ subject, from, reply_to, variables, alias }: Changes, now: Date): Partial<TemplateExtra> {
  if (alias && isUuid(alias)) throw invalid('alias', 'must not look like an id')
  const addresses = [
    ...(from ? [['from', from] as const] : []),
    ...[reply_to ?? []].flat().map((text) => ['replyTo', text] as const),
  ]
  for (const [path, text] of addresses) {
    const fault = mailboxFault(text)
    if (fault !== null) throw invalid(path, fault)
  }
  const at = now.toISOString()
  return {
    ...(subject !== undefined && { subject }),
    ...(from !== undefined && { from }),
    ...(reply_to !== undefined && { reply_to: [reply_to].flat() }),
    ...(variables && {
      variables: variables.map(({ key, type, fallback_value = null }) => {
        if (fallback_value !== null && typeof fallback_value !== type)
          throw invalid('variables', `has a fallback of ${key} that is no ${type}`)
        return { key, type, fallback_value, created_at: at, updated_at: at }
      }),
    }),
  }
}

type OurTemplate = NonNullable<Awaited<ReturnType<typeof findTemplate>>>
type Listed = Pick<OurTemplate, 'id' | 'name' | 'status' | 'createdAt' | 'updatedAt'>

function theirTemplate({ id, name, status, createdAt, updatedAt }: Listed, extras?: Extras<{ published_at: string }>) {
  const published_at = status === 'published' ? (extras?.extra.published_at ?? iso(updatedAt)) : null
  const alias = extras?.alias ?? null
  return { id, name, status, alias, published_at, created_at: iso(createdAt), updated_at: iso(updatedAt) }
}

/** Finds a template by its id or its alias. Throws `notFound`. */
async function findTheirs(app: App, teamId: string, one: string): Promise<OurTemplate> {
  const id = isUuid(one) ? one : await findAliased(app.db, teamsReadBy(teamId), 'template', one)
  if (id === undefined) throw notFound('template')
  return orNotFound('template', findTemplate(app.db, teamId, id))
}

export async function createTheirTemplate(
  app: App,
  caller: Caller,
  { body }: { body: Static<typeof NewTemplateBody> },
) {
  const { teamId } = caller
  const { name, html, text = null, alias } = body
  const extra = extraOf(body, app.clock.now())
  await refuseTakenAlias(app, teamId, alias)
  const { id } = await createTemplate(app, teamId, { name, html, text })
  try {
    await writeExtras(app, { teamId, id, noun: 'template', alias: alias ?? null, extra })
  } catch (error) {
    await deleteTheirTemplate(app, caller, { id }).catch(() => {})
    throw error
  }
  return { object: 'template', id }
}

async function refuseTakenAlias(app: App, teamId: string, alias: string | null | undefined, id?: string) {
  const found = alias && (await findAliased(app.db, [teamId], 'template', alias))
  if (found && found !== id) throw invalid('alias', 'is the alias of another template of this team')
}

export async function listTheirTemplates(app: App, { teamId }: Caller, { query }: { query: PageQuery }) {
  const compiled = templatesReadBy(app.db, teamId).select('id')
  const ids = sql`${compiled}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listTemplates(app, teamId, ours))
  const extras = await findExtras<{ published_at: string }>(
    app.db,
    teamsReadBy(teamId),
    data.map(({ id }) => id),
  )
  return listOf(
    data.map((template) => theirTemplate(template, extras.get(template.id))),
    hasMore,
  )
}

export async function getTheirTemplate(app: App, { teamId }: Caller, { id: one }: { id: string }) {
  const template = await findTheirs(app, teamId, one)
  const found = await findExtras<TemplateExtra & { published_at: string }>(app.db, teamsReadBy(teamId), [template.id])
  const extras = found.get(template.id)
  const { subject = null, from = null, reply_to = null, variables = [] } = extras?.extra ?? {}
  return {
    object: 'template',
    ...theirTemplate(template, extras),
    ...{ subject, html: template.html ?? '', text: template.text, from, reply_to, variables },
    ...{ has_unpublished_versions: template.status === 'draft', current_version_id: template.id },
  }
}

export async function updateTheirTemplate(
  app: App,
  { teamId }: Caller,
  { id: one, body }: { id: string; body: Changes },
) {
  const { id } = await findTheirs(app, teamId, one)
  const { name, html, text, alias } = body
  const extra = extraOf(body, app.clock.now())
  await refuseTakenAlias(app, teamId, alias, id)
  const ours = { ...(name !== undefined && { name }), ...(html && { html }), ...(text !== undefined && { text }) }
  await updateTemplate(app, teamId, id, ours, null)
  await writeExtras(app, { teamId, id, noun: 'template', ...(alias !== undefined && { alias }), extra })
  return { object: 'template', id }
}

export async function publishTheirTemplate(app: App, { teamId }: Caller, { id: one }: { id: string }) {
  const { id } = await findTheirs(app, teamId, one)
  const { updatedAt } = await updateTemplate(app, teamId, id, { status: 'published' }, null)
  await writeExtras(app, { teamId, id, noun: 'template', extra: { published_at: iso(updatedAt) } })
  return { object: 'template', id }
}

export async function duplicateTheirTemplate(app: App, { teamId }: Caller, { id: one }: { id: string }) {
  const { id: from, name, html, text } = await findTheirs(app, teamId, one)
  const { published_at: _at, ...extra } =
    (await findExtras<Record<string, unknown>>(app.db, teamsReadBy(teamId), [from])).get(from)?.extra ?? {}
  const { id } = await createTemplate(app, teamId, { name: `${name.slice(0, 190)} (Copy)`, html, text })
  await writeExtras(app, { teamId, id, noun: 'template', alias: null, extra })
  return { object: 'template', id }
}

export async function deleteTheirTemplate(app: App, { teamId }: Caller, { id: one }: { id: string }) {
  const { id } = await findTheirs(app, teamId, one)
  const deleted = await deleteTemplate(app, teamId, id)
  await deleteExtras(app, teamId, id)
  return { object: 'template', ...deleted }
}
