import { recipientsMax } from '../../emails/bounds.ts'
import { mailboxFault } from '../../emails/mailbox.ts'
import { invalid } from '../../platform/errors.ts'
import type { Context } from '../nodes/node.ts'
import type { ValueFault } from '../placeholders/became.ts'
import { fillValue } from '../placeholders/fill.ts'

/**
 * Fills the recipients. A text that is one placeholder may become a list, whose addresses are checked when the email is
 * sent.
 */
export function fillRecipients(to: string | string[], context: Context): string[] {
  const recipients = [to].flat().flatMap((text) => fillValue(text, context) as string | string[])
  if (recipients.length <= recipientsMax) return recipients
  throw invalid('to', `must be at most ${recipientsMax} addresses; it became ${recipients.length}`)
}

type Addresses = {
  from?: string | undefined
  to?: string | (string | undefined)[] | undefined
  reply_to?: string | undefined
}

/** Finds the invalid addresses of an email. */
export function addressFaults({ from, to, reply_to }: Addresses): ValueFault[] {
  const fields: [string, unknown][] = [
    ['from', from],
    ...[to].flat().map((value, index): [string, unknown] => [Array.isArray(to) ? `to[${index}]` : 'to', value]),
    ...(reply_to === undefined ? [] : [['reply_to', reply_to] as [string, unknown]]),
  ]
  return fields.flatMap(([path, value]) => {
    const message = mailboxFault(typeof value === 'string' ? value : '')
    return message === null ? [] : [{ path, value, message }]
  })
}
