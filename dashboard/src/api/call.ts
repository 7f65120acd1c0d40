import { parseJson } from './exact-json.ts'
import { untilReleased } from './hold.ts'
import { objectOf } from './objects.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { type Repeat, reach } from './reach.ts'
import { Refusal } from './refusal.ts'
import { createStore } from './store.ts'

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** For requests that are made signed out: a 401 is an ordinary refusal. */
  isAnonymous?: boolean
  headers?: Record<string, string>
  /** Another type than JSON, such as `text/csv`: the answer is then its text. */
  accept?: string
  /** Is given the headers of an answer that is no refusal. */
  onHeaders?: (headers: Headers) => void
}

export type Proof = 'sign-in' | 'password'

/**
 * Holds what is done when the session has ended, or is too old for a request. The request is repeated when it resolves.
 */
export const proofAsker = createStore<((proof: Proof) => Promise<void>) | null>(null)
const askForProof = oneAtATime(async (proof: Proof) => {
  await proofAsker.get()?.(proof)
  proofs.given += 1
})
/** How many times a proof was asked for and given. */
const proofs = { given: 0 }

/** Makes a request to our own server and returns its answer. Throws `Refusal`, and `Unreachable` for changes. */
export async function call<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  for (;;) {
    const held = options.isAnonymous ? undefined : untilReleased()
    if (held) await held
    const { given } = proofs
    const answer = await send(method, path, body, options)
    if (answer.ok) options.onHeaders?.(answer.headers)
    if (answer.ok) return (options.accept ? await answer.text() : await readJson(answer)) as T
    const refusal = new Refusal(answer.status, objectOf(await readJson(answer)), readRetryAfter(answer))
    const proof = options.isAnonymous ? null : proofFor(refusal)
    if (proof === null || proofAsker.get() === null) throw refusal
    // A refusal that was on its way while a proof was given is of the time before it.
    if (proofs.given === given) await askForProof(proof)
  }
}

/** Returns a path with these parameters. Empty ones are left out. */
export function withQuery(
  path: string,
  parameters: Record<string, string | number | boolean | null | undefined>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

function send(
  method: string,
  path: string,
  body: unknown,
  { signal, headers, accept = 'application/json' }: CallOptions,
): Promise<Response> {
  const hasBody = body !== undefined
  const isText = typeof body === 'string'
  const request = () =>
    fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        Accept: accept,
        ...(hasBody && !isText && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(hasBody && { body: isText ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  return reach(request, repeatOf(method, headers))
}

function repeatOf(method: string, headers: Record<string, string> = {}): Repeat {
  if (method === 'GET') return 'nothing'
  return method === 'POST' && !('Idempotency-Key' in headers) ? 'again' : 'the-same'
}

function proofFor({ status, code }: Refusal): Proof | null {
  if (status === 401) return 'sign-in'
  return status === 403 && code === 'reauthentication_required' ? 'password' : null
}

async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (text === '') return null
  try {
    return parseJson(text)
  } catch {
    return { message: text.slice(0, 500) }
  }
}

function readRetryAfter(answer: Response): number | null {
  const seconds = Number(answer.headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null
}
