import Type from 'typebox'
import { invalid } from '../platform/errors.ts'
import { isPhoneNumber, phoneNumberForm } from '../platform/text/phone-number.ts'

export const PhoneNumber = Type.String({
  minLength: 1,
  maxLength: 30,
  description: 'E.164.',
  examples: ['+447700900123'],
})

export function refuseBadNumber(path: string, number: string): void {
  if (!isPhoneNumber(number)) throw invalid(path, phoneNumberForm)
}

/** Returns the number with the plus sign that providers leave out. Null if the text is not a phone number. */
export function normalizeNumber(text: string): string | null {
  const number = text.startsWith('+') ? text : `+${text}`
  return isPhoneNumber(number) ? number : null
}
