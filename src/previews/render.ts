import { renderBroadcast } from '../broadcasts/content/render.ts'
import { valuesOfNobody } from '../broadcasts/content/variables.ts'
import { bodiesAfter } from '../broadcasts/parse.ts'
import { variableNames } from '../contacts/fields.ts'
import { findReachedContact } from '../contacts/queries.ts'
import type { App, Caller } from '../context.ts'
import { compileText } from '../emails/of-broadcasts/compile.ts'
import { invalid } from '../platform/errors.ts'
import { renderSubject, renderText } from '../templates/render.ts'
import type { PreviewBody, Rendered } from './schema.ts'

/** Renders content as it would be sent, without sending it. Throws `invalid` for a contact the team does not have. */
export async function renderPreview(app: App, caller: Caller, body: PreviewBody): Promise<Rendered> {
  if (body.kind === 'broadcast') return previewBroadcast(app, caller, body)
  if (body.contactId !== undefined)
    throw invalid('contactId', 'is for broadcasts; leave it out, or set kind to "broadcast"')
  const { subject = '', html = null, text = null, variables = {} } = body
  const names = namesIn([subject, html, text])
  return {
    subject: renderSubject(subject, variables),
    html: html === null ? null : renderText(html, variables, { escape: 'html' }),
    text: text === null ? null : renderText(text, variables, { escape: 'text' }),
    unknown: names.filter((name) => !Object.hasOwn(variables, name)),
  }
}

const known = new Set(['email', ...variableNames, 'unsubscribeUrl'])

async function previewBroadcast(app: App, caller: Caller, body: PreviewBody): Promise<Rendered> {
  const { subject = '', html = null, text = null, variables = {}, contactId } = body
  const contact = contactId === undefined ? valuesOfNobody(null) : await findReachedContact(app.db, caller, contactId)
  if (!contact) throw invalid('contactId', 'is not a contact of this team')
  const bodies = bodiesAfter({ html: null, text: null, text_made: false }, { html, text })
  const given = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value ?? '')]))
  const { unset, ...rendered } = renderBroadcast(app, { subject, ...bodies }, contact, given)
  return { ...rendered, unknown: unset.filter((name) => !known.has(name)).slice(0, namesMax) }
}

/** Our own limit: more names are of little use to an author. */
const namesMax = 1000

function namesIn(sources: (string | null)[]): string[] {
  const names = sources.flatMap((source) => [...compileText(source ?? '', { escape: 'none' }).names])
  return [...new Set(names)].slice(0, namesMax)
}
