/**
 * A decimal number: `0.digits` times ten to the power of `exponent`. `digits` has no zeros at its ends; zero has no
 * digits.
 */
export type Decimal = { isNegative: boolean; digits: string; exponent: number }

/**
 * Reads a number as JSON writes it. The sandbox runs this function too, from its text, so it refers to nothing else.
 */
export function decimalOf(text: string): Decimal {
  const unsigned = text.startsWith('-') ? text.slice(1) : text
  const [mantissa = '', power = '0'] = unsigned.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  let start = 0
  let end = all.length
  while (start < end && all[start] === '0') start++
  while (end > start && all[end - 1] === '0') end--
  if (start === end) return { isNegative: false, digits: '', exponent: 0 }
  return {
    isNegative: text !== unsigned,
    digits: all.slice(start, end),
    exponent: Number(power) + whole.length - start,
  }
}

/**
 * Tells whether a double has the value of a number as JSON writes it. Sixteen digits may be too many, `1e400` is too
 * large.
 */
export function isDouble(text: string): boolean {
  const [given, kept] = [decimalOf(text), decimalOf(String(Number(text)))]
  return given.digits === kept.digits && given.exponent === kept.exponent
}

/** Returns a number below 0, 0, or above 0, as `sort` takes it. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const [one, other] = [signOf(left), signOf(right)]
  if (one !== other) return one - other
  return one * (left.exponent - right.exponent || compareTexts(left.digits, right.digits))
}

function signOf({ isNegative, digits }: Decimal): number {
  if (digits === '') return 0
  return isNegative ? -1 : 1
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Returns the same text for equal numbers. */
export function canonicalNumber(text: string): string {
  const { isNegative, digits, exponent } = decimalOf(text)
  return digits === '' ? '0' : `${isNegative ? '-' : ''}0.${digits}e${exponent}`
}

/** Counts the digits of a number that is written without an exponent, as PostgreSQL's `jsonb` writes it. */
export function countDigits(text: string): number {
  const { digits, exponent } = decimalOf(text)
  return Math.max(digits.length, exponent, digits.length - exponent)
}

/** A number in digits is readable up to this length. */
const plainMax = 40

/**
 * Writes a long number with an exponent if that is shorter: PostgreSQL's `jsonb` knows `1e400` as a 1 with 400 zeros.
 */
export function shortForm(text: string): string {
  if (text.length <= plainMax) return text
  const { isNegative, digits, exponent } = decimalOf(text)
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  const short = `${isNegative ? '-' : ''}${digits[0]}${fraction}e${exponent - 1}`
  return short.length < text.length ? short : text
}
