import { type Beside, besideAddress, enhancedCodes } from './beside.ts'
import { addressIn, type Fields, firstField, readFieldGroups, shown, withoutComments } from './fields.ts'
import type { RecipientStatus } from './report.ts'

/** As many recipients as an email may have. */
const recipientsMax = 100

/**
 * Reads the recipients of a `message/delivery-status` (RFC 3464): the groups with an `Action` or an address, since some
 * servers omit the group about the message. Ignores `relayed` and `expanded`, after which the outcome is unknown.
 * `words` is the text of the report, where some servers say the reason of a failure alone. Null without such a group:
 * the report then says no more than its text.
 */
export function readDeliveryStatus(text: string, words: string): RecipientStatus[] | null {
  const groups = readFieldGroups(text, recipientsMax + 1).filter(isAboutRecipient)
  return groups.length === 0 ? null : groups.flatMap((fields) => recipientStatus(fields, words) ?? [])
}

function isAboutRecipient(fields: Fields): boolean {
  return ['action', 'final-recipient', 'original-recipient'].some((name) => fields.has(name))
}

function recipientStatus(fields: Fields, words: string): RecipientStatus | null {
  const given = shown(firstField(fields, 'diagnostic-code') ?? '')
  const declared = enhancedCodes(firstField(fields, 'status') ?? '')[0] ?? null
  const action = actionOf(firstField(fields, 'action') ?? '', declared, given)
  if (action === null) return null
  const names = ['original-recipient', 'final-recipient'].flatMap((name) => addressIn(firstField(fields, name)) ?? [])
  const beside = given === '' && action.is === 'failed' ? besideOne(names, words) : null
  const said = given || (beside?.diagnosticCode ?? '')
  const status = statusOf(declared, said, beside) ?? (action.isGuess ? unspecific.delayed : unspecific[action.is])
  // A failure with a code of success is none, and the other way round.
  if ((action.is === 'delivered') !== status.startsWith('2.')) return null
  const diagnosticCode = said || shown(`status; ${status} ${firstField(fields, 'remote-mta') ?? ''}`)
  return { names, action: action.is, status, diagnosticCode, isGuess: action.isGuess }
}

type Action = { is: RecipientStatus['action']; isGuess: boolean }

/**
 * Reads the field, or, if it is missing or holds another word, the class of the status or the reply: a 5 is a failure,
 * and a 4 may be one. Null if the outcome is unknown.
 */
function actionOf(field: string, declared: string | null, said: string): Action | null {
  const word = /^"?([a-z]+)/.exec(withoutComments(field).toLowerCase())?.[1]
  if (word === 'failed' || word === 'delayed' || word === 'delivered') return { is: word, isGuess: false }
  if (word === 'relayed' || word === 'expanded') return null
  const code = declared ?? enhancedCodes(said)[0] ?? /^smtp\s*;\s*([45])[0-57]\d\b/i.exec(said)?.[1]
  if (code?.startsWith('5')) return { is: 'failed', isGuess: false }
  return code?.startsWith('4') ? { is: 'failed', isGuess: true } : null
}

function besideOne(names: string[], words: string): Beside | null {
  for (const name of names) {
    const beside = besideAddress(name, words)
    if (beside) return beside
  }
  return null
}

const unspecific = { failed: '5.0.0', delayed: '4.0.0', delivered: '2.0.0' }

/** Words by which a server that writes no code says that there is no such address. */
const noSuchAddress =
  /\b(unknown (user|recipient|local[- ]part|mailbox)|(user|recipient|mailbox|address) (is )?unknown|no such (user|recipient|mailbox|address|person)|no mailbox here)\b/i

/**
 * Returns the code that counts. The reply of an SMTP server is what was said, and the declared status a translation of
 * it (RFC 3464 2.3.6), so a code of the same class in the reply counts before it. In another text it counts if the
 * declared one is only `5.0.0` or similar.
 */
function statusOf(declared: string | null, said: string, beside: Beside | null): string | null {
  const isUnspecific = declared === null || declared.endsWith('.0.0')
  const told = beside ? beside.status : (enhancedCodes(said)[0] ?? null)
  const isOfClass = told !== null && (declared === null || told[0] === declared[0])
  const isSaid = beside !== null || /^smtp\s*;/i.test(said)
  if (isOfClass && !told.endsWith('.0.0') && (isSaid || isUnspecific)) return told
  if (isUnspecific && declared?.[0] !== '4' && beside && !isOfClass && noSuchAddress.test(said)) return '5.1.1'
  return declared ?? told
}
