import Type from 'typebox'
import type { Answered } from '../../platform/egress/exchange.ts'
import { providerFailed } from '../../platform/errors.ts'
import { version } from '../../version.ts'
import { authorize } from '../calls/authorize.ts'
import { causeHeaders, joinHeaders } from '../calls/headers.ts'
import { hideHeaders, hideValues, secretsOf } from '../calls/hide.ts'
import { answerMaxBytes, answerTooLarge, readAnswerText } from '../calls/read-answer.ts'
import { createRedactor } from '../calls/redact.ts'
import { configFaults, RequestConfig, refuseOpenTarget, refuseValues } from '../calls/request-config.ts'
import { fillAll } from '../placeholders/fill.ts'
import { fillBody } from '../placeholders/fill-body.ts'
import { fillUrl } from '../placeholders/fill-url.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { action, type Turn } from './node.ts'

const timeoutMs = 30_000

export const httpRequestNode = action({
  type: 'http_request',
  title: 'Make an HTTP request',
  description: 'Calls a URL. Any answer completes the node, also an error of the server. Redirects are not followed.',
  config: RequestConfig,
  output: Type.Object({
    status_code: Type.Integer(),
    ok: Type.Boolean(),
    headers: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
    body: Type.String(),
  }),
  retries: true,
  secret: { field: 'headers', hide: hideValues },
  restricted: true,
  faults: configFaults,
  references: ({ auth_type = 'none', credential_id, url }) =>
    auth_type === 'none'
      ? []
      : referenceTo('credential', 'credential_id', credential_id).map((reference) => ({
          ...reference,
          type: auth_type,
          ...(url !== undefined && { url }),
        })),
  prepare(config, context) {
    // Older releases activated such configs.
    refuseOpenTarget(config)
    const { url, body, ...rest } = config
    const filled = { url: fillUrl('url', url, context), ...fillAll(rest, context) }
    if (body === undefined) return filled
    return { ...filled, body: fillBody(body, contentTypeIn(filled.headers), context) }
  },
  shown: (input) => (input.headers ? { ...input, headers: hideHeaders(input.headers) } : input),
  async run(turn, input) {
    refuseValues(input)
    const authorization = await authorize(turn, input)
    const body = input.method === 'GET' || input.method === 'DELETE' ? '' : (input.body ?? '')
    const answer = await turn.app.egress.request({
      teamId: turn.teamId,
      url: input.url,
      method: input.method,
      headers: joinHeaders(defaultHeaders(turn, body), input.headers ?? {}, authorization.headers, causeHeaders(turn)),
      body,
      timeoutMs,
      bodyMaxBytes: answerMaxBytes,
      signal: turn.signal,
    })
    // A name may resolve to another address at the next attempt, so an address that is not public is tried again too.
    if (answer.kind !== 'answered') throw providerFailed(answer.reason)
    if (answer.truncated) throw answerTooLarge()
    const redact = createRedactor([...authorization.secrets, ...secretsOf(input.headers ?? {})])
    return { output: outputOf(answer, await readAnswerText(answer), redact) }
  },
})

function contentTypeIn(headers: Record<string, string> = {}): string {
  return Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}

function defaultHeaders({ idempotencyKey }: Turn, body: string): Record<string, string> {
  return {
    'User-Agent': `Posthorn/${version}`,
    'Idempotency-Key': idempotencyKey,
    'Accept-Encoding': 'identity',
    ...(body !== '' && { 'Content-Type': isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' }),
  }
}

function outputOf({ status, headers, setCookies }: Answered, body: string, redact: (text: string) => string) {
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
  return {
    status_code: status,
    ok: status >= 200 && status < 300,
    // A comma does not separate cookies (RFC 6265, 3).
    headers: setCookies.length > 0 ? { ...shown, 'set-cookie': setCookies.map(redact) } : shown,
    // PostgreSQL cannot store NUL.
    body: redact(body.replaceAll('\0', '\ufffd')),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
