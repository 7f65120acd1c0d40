import { type Json, objectOf } from '../../../platform/http/body/read-foreign-json.ts'
import type { OutboundWhatsapp } from '../../provider.ts'
import { languageCode } from './language.ts'

/** Makes the body of a request to send. Every status returns `biz_opaque_callback_data`. */
export function messageOf({ messageId, to, content }: OutboundWhatsapp): Json {
  const common = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: to.replace(/^\+/, ''),
    biz_opaque_callback_data: messageId,
  }
  if (content.kind === 'text') return { ...common, type: 'text', text: { preview_url: false, body: content.body } }
  const { name, language, variables, components } = content
  const parts = [...bodyOf(variables), ...codeButtonOf(variables, components)]
  const template = { name, language: { code: languageCode(language) }, ...(parts.length > 0 && { components: parts }) }
  return { ...common, type: 'template', template }
}

function bodyOf(variables: string[]): Json[] {
  return variables.length === 0 ? [] : [{ type: 'body', parameters: variables.map(textParameter) }]
}

/** Makes the button that copies a one-time password, which requires the code too. */
function codeButtonOf([code]: string[], components: Record<string, unknown> | null): Json[] {
  const buttons = Array.isArray(components?.buttons) ? components.buttons.map(objectOf) : []
  const index = buttons.findIndex(({ type }) => typeof type === 'string' && type.toUpperCase() === 'OTP')
  if (index === -1 || code === undefined) return []
  return [{ type: 'button', sub_type: 'url', index: String(index), parameters: [textParameter(code)] }]
}

function textParameter(text: string): Json {
  return { type: 'text', text }
}
