import { type Json, objectOf } from '../../../platform/http/read-foreign-json.ts'
import type { WhatsappTemplateSubmission } from '../../provider.ts'

/**
 * The components of a template as the Graph API has them. The body is the template's; `header`, `footer` and `buttons`
 * are what its `components` hold under these names, in Meta's own form.
 */
export function componentsOf({ category, body, variableCount, components }: WhatsappTemplateSubmission): Json[] {
  const { header, footer, buttons } = components ?? {}
  const given = Array.isArray(buttons) ? buttons : null
  if (category === 'authentication') {
    // Its words are Meta's own, in the reader's language; what is ours to choose is how the code is copied.
    return [
      { type: 'BODY', ...objectOf(components?.body) },
      ...partOf('FOOTER', footer),
      { type: 'BUTTONS', buttons: given ?? [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]
  }
  return [
    ...partOf('HEADER', header),
    { type: 'BODY', text: body, ...(variableCount > 0 && { example: { body_text: [examplesOf(variableCount)] } }) },
    ...partOf('FOOTER', footer),
    ...(given ? [{ type: 'BUTTONS', buttons: given }] : []),
  ]
}

function partOf(type: string, part: unknown): Json[] {
  return typeof part === 'object' && part !== null ? [{ ...objectOf(part), type }] : []
}

/** Meta reviews no placeholder without an example. */
function examplesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `example ${index + 1}`)
}
