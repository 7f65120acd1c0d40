import type { FastifyRequest } from 'fastify'
import { isOfSender } from '../emails/messages/accept/refuse.ts'
import type { DomainError, RefusalKind } from '../platform/errors.ts'
import { type Dialect, type Refused, unservedAt } from '../platform/http/dialect.ts'
import { batchMax } from './message.ts'
import { unserved } from './unserved.ts'

export type Failed = { ErrorCode: number; Message: string }

const prefix = '/postmark/'
const keyHeader = 'x-postmark-server-token'

/** Refusals in Postmark's words: `{ErrorCode, Message}`, with 422 for what is wrong with a message. */
export const postmarkWords: Omit<Dialect, 'routes'> = {
  prefix,
  keyHeader,
  refuse(refused, request) {
    const { status, ...body } = said(refused, request)
    return { status, body }
  },
  windowHeaders: () => ({}),
}

function said(refused: Refused, request: FastifyRequest): Failed & { status: number } {
  const { refusal, status, message } = refused
  if (!refusal) return { status, ...unexpected(message) }
  const missing = unservedAt({ prefix, unserved }, refused, request)
  if (missing) return { status: 501, ErrorCode: 300, Message: missing }
  const failed = failedOf(refusal)
  const isMissing = refusal.kind === 'unauthenticated' && request.headers[keyHeader] === undefined
  const Message = isMissing ? 'Send an API key in the header X-Postmark-Server-Token.' : failed.Message
  return { status: statuses[refusal.kind] ?? 422, ...failed, Message }
}

export function unexpected(message: string): Failed {
  return { ErrorCode: 500, Message: message }
}

/** Statuses other than 422. */
const statuses: Partial<Record<RefusalKind, number>> = {
  unauthenticated: 401,
  notFound: 404,
  methodNotAllowed: 405,
  tooSlow: 408,
  tooLarge: 413,
  limitExceeded: 429,
  providerFailed: 503,
  unavailable: 503,
}

/** The codes of kinds of refusals. 300 for the others: an invalid request. */
const codes: Partial<Record<RefusalKind, number>> = {
  unauthenticated: 10,
  forbidden: 405,
  notFound: 404,
  unsupported: 409,
  limitExceeded: 429,
  providerFailed: 100,
  unavailable: 100,
}

/** Returns the code and the words of a refusal, for answers and for the places of a batch. */
export function failedOf(refusal: DomainError): Failed {
  const { kind, details, message } = refusal
  if (kind === 'invalid') return invalidMessage(refusal)
  if (details.name === 'recipient_suppressed') return inactive(details.extra?.suppressed as string[])
  if (isOfSender(refusal)) return { ErrorCode: 400, Message: message }
  if (details.name === 'plan_limit_exceeded') return { ErrorCode: 405, Message: message }
  return { ErrorCode: codes[kind] ?? 300, Message: message }
}

/** Postmark's clients read the addresses out of these words. */
function inactive(addresses: string[]): Failed {
  const advice = 'Remove them from the recipients, or the entries from /v1/suppressions.'
  const found = `Found inactive addresses: ${addresses.join(', ')}.`
  return { ErrorCode: 406, Message: `${found} Inactive recipients are on the suppression list. ${advice}` }
}

function invalidMessage({ details, message }: DomainError): Failed {
  const [fault, ...more] = details.errors ?? []
  if (!fault) return { ErrorCode: 300, Message: message }
  if (fault.message.startsWith('is not valid JSON')) return { ErrorCode: 402, Message: message }
  if (fault.path === 'body' && fault.message.startsWith('is required')) return { ErrorCode: 409, Message: message }
  if (fault.path === 'body' && fault.message.startsWith('must have at most')) {
    return { ErrorCode: 410, Message: `Too many messages: a batch has at most ${batchMax}.` }
  }
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return { ErrorCode: 300, Message: `${theirName(fault.path)}: ${fault.message}${others}` }
}

const names: Record<string, string> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  subject: 'Subject',
  html: 'HtmlBody',
  text: 'TextBody',
  replyTo: 'ReplyTo',
  headers: 'Headers',
  tags: 'Metadata',
  attachments: 'Attachments',
  filename: 'Name',
  content: 'Content',
  contentType: 'ContentType',
  contentId: 'ContentID',
}

/** Our field as Postmark names it. Its lists of addresses are one text, so a place in them is left out. */
function theirName(path: string): string {
  // All of an entry of a batch.
  if (path === '') return 'message'
  const [, head = path, rest = ''] = /^(\w+)(.*)$/s.exec(path) ?? []
  if (/^(to|cc|bcc)$/.test(head)) return names[head]!
  const inside = head === 'attachments' ? rest.replace(/\.(\w+)$/, (_, name) => `.${names[name] ?? name}`) : rest
  return `${names[head] ?? head}${inside}`
}
