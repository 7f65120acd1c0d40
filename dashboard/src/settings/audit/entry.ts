import type { RowOf } from '../../api/request.ts'
import { sentence } from '../../ui/text/words.ts'

export type AuditEntry = RowOf<'/v1/audit'>

/** `api_key.created` is *API key created*. */
export function wordsOf(action: string): string {
  return sentence(action)
    .replace(/^(Api|Sms)\b/, (word) => word.toUpperCase())
    .replace(/^Whatsapp\b/, 'WhatsApp')
}

/** Returns the target as words: its name, or its id where it has none. */
export function targetOf({ target }: AuditEntry): string {
  return target.name ?? target.id
}

/** A value of before or after, as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
