import { type Json, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import type { WhatsappTemplateSubmission } from '../../provider.ts'
import { withCodeButton } from '../../templates/code-button.ts'

/**
 * Returns the components of a template in the form of the Graph API. The body comes from the template; `header`,
 * `footer` and `buttons` come from its `components`, which have Meta's form already.
 */
export function componentsOf({ category, body, variableCount, components }: WhatsappTemplateSubmission): Json[] {
  const { header, footer, buttons } = withCodeButton(category, components) ?? {}
  const given = Array.isArray(buttons) ? buttons : null
  if (category === 'authentication') {
    // Meta writes the text of an authentication template. Only the button that copies the code can be chosen.
    return [
      { type: 'BODY', ...objectOf(components?.body) },
      ...partOf('FOOTER', footer),
      { type: 'BUTTONS', buttons: given },
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

/** Makes an example for each placeholder, which Meta requires. */
function examplesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `example ${index + 1}`)
}
