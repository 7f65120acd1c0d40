import { type Json, objectOf, textOf } from '../../../platform/http/body/read-foreign-json.ts'
import { cutText } from '../../../platform/text/cut.ts'

/** WhatsApp's limit for a text, in characters. */
const lengthMax = 4096

/**
 * Returns a message as readable text; for media, the kind in brackets and the caption. Null for system messages, such
 * as the notice of a changed number.
 */
export function textOfMessage(message: Json): string | null {
  const { type } = message
  if (typeof type !== 'string' || type === 'system') return null
  const part = objectOf(message[type])
  const text = (texts.get(type) ?? plain(type))(part).trim()
  return [...(text || `[${type}]`)].slice(0, lengthMax).join('')
}

const texts = new Map<string, (part: Json) => string>(
  Object.entries({
    text: ({ body }) => textOf(body),
    button: ({ text }) => textOf(text),
    interactive: (part) => textOf(objectOf(part[textOf(part.type)]).title) || '[interactive]',
    reaction: ({ emoji }) => `[reaction] ${textOf(emoji)}`,
    document: ({ filename, caption }) => ['[document]', filename, caption].map(textOf).filter(Boolean).join(' '),
    location: ({ name, address, latitude, longitude }) =>
      `[location] ${[name, address].map(textOf).filter(Boolean).join(', ') || [latitude, longitude].map(degrees).join(', ')}`,
  }),
)

function plain(type: string): (part: Json) => string {
  return ({ caption }) => `[${cutText(type, 40)}] ${textOf(caption)}`
}

function degrees(value: unknown): string {
  return typeof value === 'number' ? String(value) : '?'
}
