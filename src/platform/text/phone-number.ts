/**
 * ITU-T E.164, 6.2: a plus, a country code that does not begin with 0, and at most 15 digits in all. The minimum of 7
 * is our choice: the shortest numbers that are dialled from abroad.
 */
const e164 = /^\+[1-9]\d{6,14}$/

/** The end of a sentence that begins with the name of a field. */
export const phoneNumberForm = 'must be in E.164 form: + and 7 to 15 digits, such as +61491570156'

export function isPhoneNumber(text: string): boolean {
  return e164.test(text)
}

/**
 * Mobile numbers that are written in two ways, with and without a digit: in Mexico (1) and Argentina (9) the digit
 * stands after the country code in one of them, and in Brazil the area code is followed by a ninth digit (Anatel
 * resolution 553/2010), which WhatsApp leaves out of older accounts. There the digits that follow tell a mobile number
 * from a landline.
 */
const twoForms: { long: RegExp; short: RegExp; digit: string }[] = [
  { long: /^(\+52)1(\d{10})$/, short: /^(\+52)(\d{10})$/, digit: '1' },
  { long: /^(\+54)9(\d{10})$/, short: /^(\+54)(\d{10})$/, digit: '9' },
  { long: /^(\+55\d{2})9([6-9]\d{7})$/, short: /^(\+55\d{2})([6-9]\d{7})$/, digit: '9' },
]

/** Returns all ways to write the number of one person, the shorter one first. Most numbers have only one. */
export function numberForms(number: string): string[] {
  for (const { long, short, digit } of twoForms) {
    const [, before, after] = long.exec(number) ?? short.exec(number) ?? []
    if (before !== undefined) return [`${before}${after}`, `${before}${digit}${after}`]
  }
  return [number]
}
