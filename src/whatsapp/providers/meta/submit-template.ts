import type { JsonAnswer } from '../../../platform/egress/json-answer.ts'
import { type Json, listOf, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import type { WhatsappSubmissionAnswer, WhatsappTemplateSubmission } from '../../provider.ts'
import { type GraphClient, idSegment } from './client.ts'
import { graphFailure } from './failure.ts'
import { languageCode } from './language.ts'
import { componentsOf } from './template.ts'

/**
 * Submits a template. A template that we submitted before is edited, which submits it again. If the account has another
 * template of that name, which belongs to another team or the operator, the submission is refused.
 */
export async function submitTemplate(
  client: GraphClient,
  template: WhatsappTemplateSubmission,
): Promise<WhatsappSubmissionAnswer> {
  const components = componentsOf(template)
  const category = template.category.toUpperCase()
  const edit = async (id: string) => judge(await client.post(`/${idSegment(id)}`, { category, components }), id)
  if (template.providerRef !== null) return edit(template.providerRef)
  const named = { name: template.name, language: languageCode(template.language) }
  const made = await client.post(`/${idSegment(template.wabaId)}/message_templates`, { ...named, category, components })
  if (!isThereAlready(made)) return judge(made, null)
  if (!template.wasHandedIn) return { kind: 'refused', message: nameTaken }
  // An earlier submission may have created it, but its id was not stored.
  const listed = await client.get(`/${idSegment(template.wabaId)}/message_templates`, {
    ...named,
    fields: 'id,name,language,category,components',
    limit: '100',
  })
  const rows = listed.kind === 'answered' ? listOf(listed.body.data).map(objectOf) : []
  const row = rows.find(({ name, language }) => name === named.name && language === named.language)
  if (typeof row?.id !== 'string') return judge(isFailure(listed) ? listed : made, null)
  return isSame(row, { category, components }) ? edit(row.id) : { kind: 'refused', message: otherText }
}

const nameTaken =
  'The WhatsApp Business Account has another template of that name in that language. Create one with another name.'

const otherText =
  'The WhatsApp Business Account has a template of that name in that language with another text, which may be someone else’s. Create one with another name.'

/**
 * Tells whether a template of the account is the one that we submitted. Compares texts alone, since Meta moves
 * templates between marketing and utility, and adds to the other parts. It writes the text of authentication templates
 * itself.
 */
function isSame(row: Json, ours: { category: string; components: Json[] }): boolean {
  const [one, other] = [row, ours].map((template) => template.category === authentication)
  if (one || other) return one === other
  const theirs = listOf(row.components).map(objectOf)
  return ['HEADER', 'BODY', 'FOOTER'].every((type) => textOf(theirs, type) === textOf(ours.components, type))
}

const authentication = 'AUTHENTICATION'

function textOf(components: Json[], type: string): string {
  const text = components.find((component) => component.type === type)?.text
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : ''
}

/**
 * True for "Content in this language already exists". Checks the subcode, because code 100 means any invalid parameter.
 */
function isThereAlready(result: JsonAnswer): boolean {
  return result.kind === 'answered' && objectOf(result.body.error).error_subcode === 2388024
}

function isFailure(result: JsonAnswer): boolean {
  return result.kind === 'failed' || result.status < 200 || result.status >= 300
}

function judge(result: JsonAnswer, knownId: string | null): WhatsappSubmissionAnswer {
  if (result.kind === 'failed')
    return result.hasLeft
      ? { kind: 'unknown', message: `The connection to Meta was lost before its answer: ${result.reason}` }
      : { kind: 'unavailable', message: `Meta could not be reached: ${result.reason}` }
  if (!isFailure(result)) {
    const { id } = result.body
    return { kind: 'submitted', providerRef: typeof id === 'string' ? id : knownId }
  }
  const { kind, message } = graphFailure(result)
  return { kind: kinds[kind], message }
}

const kinds = { refusal: 'refused', passing: 'unavailable', fault: 'unknown' } as const
