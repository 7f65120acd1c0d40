import type { Answered } from '../../platform/egress/exchange.ts'
import { DomainError, providerFailed } from '../../platform/errors.ts'
import { version } from '../../version.ts'
import { authorize } from '../calls/authorize.ts'
import { causeHeaders, joinHeaders } from '../calls/headers.ts'
import { hideHeaders, secretsOf } from '../calls/hide.ts'
import { redactor } from '../calls/redact.ts'
import { configFaults, RequestConfig, refuseOpenTarget, refuseValues } from '../calls/request-config.ts'
import { becomesJson, fillAll, fillJson, isPlaceholder, valueBehind } from '../placeholders/fill.ts'
import { fillUrl } from '../placeholders/fill-url.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { action, type Context, type Turn } from './node.ts'

const timeoutMs = 30_000
const answerMaxBytes = 1024 * 1024

/** Output: `{status_code, ok, headers, body}` with any status. */
export const httpRequestNode = action({
  type: 'http_request',
  title: 'Make an HTTP request',
  description: 'Calls a URL. Any answer completes the node, also an error of the server. Redirects are not followed.',
  config: RequestConfig,
  retries: true,
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
    return { ...filled, body: fillBody(body, context) }
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
    if (answer.truncated) throw new DomainError('tooLarge', 'The body of the answer is larger than 1 MiB.')
    return { output: outputOf(answer, redactor([...authorization.secrets, ...secretsOf(input.headers ?? {})])) }
  },
})

/** Fills a body. One that is a single placeholder becomes its text without quotes. */
function fillBody(body: string, context: Context): string {
  const found = isPlaceholder(body) ? valueBehind(body, context) : undefined
  if (typeof found === 'string') return found
  return becomesJson(body) ? fillJson(body, context) : fillAll(body, context)
}

function defaultHeaders({ idempotencyKey }: Turn, body: string): Record<string, string> {
  return {
    'User-Agent': `Posthorn/${version}`,
    'Idempotency-Key': idempotencyKey,
    ...(body !== '' && { 'Content-Type': isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' }),
  }
}

function outputOf({ status, headers, body }: Answered, redact: (text: string) => string) {
  return {
    status_code: status,
    ok: status >= 200 && status < 300,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)])),
    // PostgreSQL cannot store NUL.
    body: redact(body.toString('utf8').replaceAll('\0', '\ufffd')),
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
