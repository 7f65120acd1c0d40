import { DomainError, forbidden, invalid } from '../platform/errors.ts'
import { isAllowed, isSameSender, type Rules } from './rules.ts'
import type { Tool } from './tool.ts'

type Fields = Record<string, unknown>

/** Reads a resource with the rights of the caller. Throws the API's refusal. */
type Read = (operationId: string) => Promise<Fields>

const notSent = 'Nothing was sent.'

/** Returns the refusal of a tool that the rules leave out whatever its input is; null if there is none. */
export function toolFault({ hints, recipients }: Tool, { readOnly, from, allowTo }: Rules): string | null {
  if (readOnly && !hints.readOnlyHint) return 'This connection only reads.'
  if (allowTo && ['broadcast', 'phone', 'workflow', 'members'].includes(recipients)) {
    return 'This connection sends to the addresses of allow_to only, and the recipients of this tool cannot be compared with them.'
  }
  if (from !== null && recipients === 'workflow') {
    return 'This connection sends from one address only, and a workflow names its own.'
  }
  return null
}

/** Throws `forbidden` for a tool that the rules leave out. */
export function refuseTool(tool: Tool, rules: Rules): void {
  const fault = toolFault(tool, rules)
  if (fault !== null) throw forbidden(`${fault} ${notSent}`)
}

/**
 * Holds the input of a tool against the rules, before anything is sent. `body` is what the API will get: `from` is
 * written into it. Throws a refusal if a recipient or a sender is not allowed, or cannot be compared.
 */
export async function applyRules(tool: Tool, rules: Rules, body: Fields, read: Read): Promise<void> {
  switch (tool.recipients) {
    case 'email':
      return checkEmail(body, '', rules)
    case 'emails':
      if (rules.from === null && rules.allowTo === null) return
      if (!Array.isArray(body.emails)) throw invalid('emails', 'must be a list of emails')
      return body.emails.forEach((email: unknown, index) => {
        if (!isFields(email)) throw invalid(`emails[${index}]`, 'must be an object')
        checkEmail(email, `emails[${index}].`, rules)
      })
    case 'draft':
      return setSender(body, '', rules)
    case 'waiting':
      if (rules.from === null && rules.allowTo === null) return
      return checkStored(await read('getEmail'), rules)
    case 'contact':
      if (rules.allowTo === null) return
      checkContact(await read('getContact'), rules.allowTo)
      return checkContact(body, rules.allowTo)
    case 'newContact':
      if (rules.allowTo !== null) checkContact(body, rules.allowTo)
      return
    case 'broadcast':
      if (rules.from !== null) checkStored(await read('getBroadcast'), { ...rules, allowTo: null })
  }
}

function checkEmail(email: Fields, before: string, rules: Rules): void {
  setSender(email, before, rules)
  checkRecipients(email, before, rules)
}

function setSender(email: Fields, before: string, { from }: Rules): void {
  if (from === null) return
  if (email.from !== undefined && !isSameSender(from, email.from)) throw otherSender(`${before}from`)
  email.from = from
}

/** Checks something that was written before, which may be by another connection. */
function checkStored(stored: Fields, rules: Rules): void {
  if (rules.from !== null && !isSameSender(rules.from, stored.from)) throw otherSender('from')
  checkRecipients(stored, '', rules)
}

function checkRecipients(email: Fields, before: string, { allowTo }: Rules): void {
  if (!allowTo) return
  for (const field of ['to', 'cc', 'bcc']) {
    const list = email[field] ?? []
    if (!Array.isArray(list)) throw invalid(`${before}${field}`, 'must be a list of addresses')
    list.forEach((recipient: unknown, index) => {
      if (typeof recipient === 'string' && isAllowed(allowTo, recipient)) return
      throw refusal(`${before}${field}[${index}]`, 'is not among the recipients that this connection may send to')
    })
  }
}

/** A contact without an address gets no broadcast. */
function checkContact({ email }: Fields, allowTo: NonNullable<Rules['allowTo']>): void {
  if (email === undefined || email === null) return
  if (typeof email === 'string' && isAllowed(allowTo, email)) return
  throw refusal('email', 'is not among the recipients that this connection may send to')
}

function otherSender(path: string): DomainError {
  return refusal(path, 'is not the sender of this connection')
}

function refusal(path: string, message: string): DomainError {
  return new DomainError('forbidden', `${path}: ${message}. ${notSent}`, { errors: [{ path, message }] })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
