import type { FastifyRequest } from 'fastify'
import { DomainError, type FieldError, type RefusalKind } from '../platform/errors.ts'
import { type Dialect, type Refused, unservedAt } from '../platform/http/dialect.ts'
import { unserved } from './lacking.ts'

type Said = { message: string; field: string | null }

const prefix = '/sendgrid/'

/** Refusals in SendGrid's words: `{errors: [{message, field, help}]}`. Its headers of the limit are named as ours. */
export const sendgridWords: Omit<Dialect, 'routes'> = {
  prefix,
  refuse(refused, request) {
    const missing = unservedAt({ prefix, unserved }, refused, request)
    const { status, errors } = missing ? { status: 501, errors: [said(missing)] } : saidOf(refused, request)
    return { status, body: { errors: errors.map((error) => ({ ...error, help: null })) } }
  },
  windowHeaders: () => ({}),
}

function saidOf({ refusal, status, message }: Refused, request: FastifyRequest): { status: number; errors: Said[] } {
  if (!refusal) return { status, errors: [said(message)] }
  const index = typeof refusal.details.body?.index === 'number' ? refusal.details.body.index : null
  const { cause } = refusal
  // A refusal of one email of several has the index, and is caused by what a single email is refused with.
  const { kind, details } = cause instanceof DomainError ? cause : refusal
  if (kind === 'invalid') {
    // A provider that was out of reach has an index and no cause.
    if (index !== null && !cause) return { status: 503, errors: [said(message)] }
    const faults = details.errors ?? []
    return { status: 400, errors: faults.length > 0 ? faults.map((fault) => faultOf(fault, index)) : [said(message)] }
  }
  if (kind === 'unauthenticated' && request.headers.authorization === undefined) {
    return { status, errors: [said('authorization required: send an API key as Authorization: Bearer <key>')] }
  }
  return { status: statuses[kind] ?? status, errors: [said(message, fieldOf(kind, details.name, index))] }
}

/** SendGrid's statuses where they differ from ours, and those of refusals within a batch. */
const statuses: Partial<Record<RefusalKind, number>> = {
  forbidden: 403,
  unprocessable: 400,
  limitExceeded: 429,
  providerFailed: 503,
}

function said(message: string, field: string | null = null): Said {
  return { message, field }
}

function fieldOf(kind: RefusalKind, name: string | undefined, index: number | null): string | null {
  if (name === 'recipient_suppressed') return `personalizations.${index ?? 0}.to`
  if (name === 'template_not_published') return 'template_id'
  return kind === 'forbidden' ? 'from' : null
}

/** Our field as SendGrid names it, such as `personalizations.0.to.0` or `attachments.0.content_id`. */
function faultOf({ path, message }: FieldError, index: number | null): Said {
  const [, head = '', rest = ''] = /^(\w+)(.*)$/s.exec(path) ?? [null, path, '']
  const named = renamed[head]
  const isOwn = ownFields.has(named ?? head) && index !== null
  // An unknown field is named as it was written.
  const isOurs = !message.startsWith('is not a known field')
  const inside = rest
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/\.(contentType|contentId)$/, (dotted, name) => (isOurs ? `.${renamed[name]}` : dotted))
  const field = `${isOwn ? `personalizations.${index}.` : ''}${named ?? head}${inside}`
  return { message: `${field} ${message}`, field }
}

const renamed: Record<string, string> = {
  emails: 'personalizations',
  contentType: 'type',
  contentId: 'content_id',
  html: 'content',
  text: 'content',
  replyTo: 'reply_to',
  scheduledAt: 'send_at',
  tags: 'custom_args',
  templateVariables: 'dynamic_template_data',
}

/** Fields that only a personalization has. Others may be of the whole request. */
const ownFields = new Set(['to', 'cc', 'bcc', 'substitutions', 'dynamic_template_data'])
