/**
 * ITU-T E.164, 6.2: a plus, a country code that does not begin with 0, and at most 15 digits in all. The minimum of 7 is our
 * choice: the shortest numbers that are dialled from abroad.
 */
const e164 = /^\+[1-9]\d{6,14}$/

/** The end of a sentence that begins with the name of a field. */
export const phoneNumberForm = 'must be in E.164 form: + and 7 to 15 digits, such as +61491570156'

export function isPhoneNumber(text: string): boolean {
  return e164.test(text)
}
