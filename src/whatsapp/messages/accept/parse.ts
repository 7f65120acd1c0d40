import { invalid, invalidFields } from '../../../platform/errors.ts'
import { refuseBadNumber } from '../../phone-number.ts'
import type { SendWhatsappBody } from '../schema.ts'

/** A message as the request gives it: either free text or a template. */
export type WhatsappCommand = { senderId: string; to: string } & (
  | { kind: 'text'; body: string }
  | { kind: 'template'; templateId: string; variables: string[] }
)

/** Checks what schemas cannot express. Throws `invalid`. */
export function parseWhatsapp({ senderId, to, templateId, variables, body }: SendWhatsappBody): WhatsappCommand {
  refuseBadNumber('to', to)
  if (templateId === undefined && body === undefined)
    throw invalid('templateId', 'give templateId, with its variables, or body')
  if (templateId !== undefined && body !== undefined) {
    const message = 'give either templateId, with its variables, or body, never both'
    throw invalidFields(['templateId', 'body'].map((path) => ({ path, message })))
  }
  if (templateId !== undefined) return { kind: 'template', senderId, to, templateId, variables: variables ?? [] }
  if (variables !== undefined) throw invalid('variables', 'are of a template; a body stands as it is')
  return { kind: 'text', senderId, to, body: body! }
}
