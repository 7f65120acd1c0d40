import { firstCharacters } from '../../../../src/platform/text/cut.ts'

const plain = new Intl.NumberFormat('en')

/** `countOf(3, 'email')` is *3 emails*. The plural is given where it is not the word with an s. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${plain.format(count)} ${count === 1 ? one : many}`
}

export function number(value: number): string {
  return plain.format(value)
}

const choices = new Intl.ListFormat('en', { type: 'disjunction' })

/** `anyOf(['a.test', 'b.test'])` is *a.test or b.test*. */
export function anyOf(names: string[]): string {
  return choices.format(names)
}

const both = new Intl.ListFormat('en')

/** `andOf(['segments', 'topics'])` is *segments and topics*. */
export function andOf(names: string[]): string {
  return both.format(names)
}

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** `percent(0.981)` is *98.1%*. */
export function percent(part: number): string {
  return percents.format(part)
}

/** `share(1, 3)` is *33.3%*. Empty if the whole is 0. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '' : percent(part / whole)
}

/** `dollars(-0.02)` is *-$0.02*. */
export function dollars(amount: number, digits = 2): string {
  const format = {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const
  return new Intl.NumberFormat('en', format).format(amount)
}

/** `soft_bounced` is *Soft bounced*. */
export function sentence(name: string): string {
  return capital(name.replaceAll(/[_.-]/g, ' '))
}

/** `initial('ada')` is *A*. A character outside the basic plane, such as an emoji, stays whole. */
export function initial(name: string): string {
  return firstCharacters(name, 1).toUpperCase()
}

/** `acme-sso` is *Acme-sso*. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(count < 10_240 ? 1 : 0)} kB`
  return `${(count / 1024 / 1024).toFixed(1)} MB`
}

/** `Ada <ada@example.com>` has the name *Ada* and the address. Without a name, the name is the address. */
export function mailbox(text: string): { name: string; address: string } {
  const [, name = '', address = ''] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(text) ?? []
  if (address === '') return { name: text, address: text }
  const plainName = name.replace(/^"(.*)"$/, '$1')
  return { name: isBlank(plainName) ? address : plainName, address }
}

/** Characters that draw something: no blanks, zero-width and other invisible ones. */
const visible = /[^\s\u2800\p{Cc}\p{Default_Ignorable_Code_Point}]/u

/** Tells whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return !visible.test(text)
}

/** Returns the subject of an email, or the words that stand for one that is missing or invisible. */
export function subjectOf({ subject }: { subject: string }): string {
  return isBlank(subject) ? '(no subject)' : subject
}

/**
 * `waitWords(3725)` is *1 hour and 3 minutes*. Below two minutes it counts seconds. Part of a minute is a whole one.
 */
export function waitWords(seconds: number): string {
  if (seconds < 120) return countOf(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  const parts = [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return andOf(parts.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun)))
}
