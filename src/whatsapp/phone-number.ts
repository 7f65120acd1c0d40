import Type from 'typebox'
import { invalid } from '../platform/errors.ts'

export const PhoneNumber = Type.String({
  minLength: 1,
  maxLength: 30,
  description: 'E.164.',
  examples: ['+447700900123'],
})

/** ITU-T E.164: a plus, a country code that does not begin with 0, seven to fifteen digits. */
export function refuseBadNumber(path: string, number: string): void {
  if (!/^\+[1-9]\d{6,14}$/.test(number)) throw invalid(path, 'must be in E.164 form, such as +447700900123')
}

/** A number as providers write it, who leave the plus out. Null: no phone number. */
export function normalizeNumber(text: string): string | null {
  const match = /^\+?([1-9]\d{6,14})$/.exec(text)
  return match ? `+${match[1]}` : null
}
