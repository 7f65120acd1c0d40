import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from '../src/app.ts'

/** Endpoints that no page calls, and why. Everything else of the API can be used from the dashboard. */
const exceptions: Record<string, string> = {
  'GET /auth/oauth/:provider/callback': 'the provider leads there',
  'POST /auth/refresh': 'a browser session has its cookie',
  'POST /auth/logout': 'a browser session ends with DELETE /auth/session',
  'POST /v1/emails/batch': 'for programs: a person sends one email, or a broadcast',
  'POST /v1/sms/batch': 'for programs: a person sends one message',
  'GET /v1/api-keys/:id': 'the list has all its fields',
  'GET /v1/suppressions/:id': 'the list has all its fields',
  'GET /v1/sms/opt-outs/:id': 'the list has all its fields',
  'GET /v1/feed': 'for programs: a page has GET /v1/live',
  'GET /v1/feed/stream': 'for programs: a page has GET /v1/live',
  'GET /v1/inbox/sms': 'conversations of GET /v1/inbox/threads have the same messages',
  'GET /v1/inbox/whatsapp': 'conversations of GET /v1/inbox/threads have the same messages',
}

/** Called by others than a signed-in person: providers, recipients, monitoring, and the senders of trigger URLs. */
const notForPages =
  /^\w+ \/(mcp|app|providers|billing|t|unsubscribe|health|ready|metrics|openapi|docs|\.well-known|$)|^\w+ \/v1\/(webhooks\/payments|whatsapp\/webhooks\/inbound|workflows\/triggers)/

/**
 * What stands before the path of a request that is not a GET. The compiler compares the path with those of the method.
 */
const methods: [before: RegExp, methods: string[]][] = [
  [/\bpost\($/, ['POST']],
  [/\bpatch\($/, ['PATCH']],
  [/\bchangeLatest(<\w+>)?\($|\bpath: $/, ['GET', 'PATCH']],
  [/\b(remove|removeShown)\($|\bpath=\{?$/, ['DELETE']],
]

/** Parts of the dashboard that take a noun, and what they request of its path. */
const byNoun: [pattern: RegExp, methods: string[]][] = [
  [/<DeleteShown\s+noun=(?:"([^"]+)"|\{`([^`]+)`\}|\{(?:\w+\.)?(\w+)\})/g, ['DELETE']],
  [/useSharedForm[^(]*\(\{\s*noun: '([^']+)'/g, ['GET', 'PATCH']],
]

function requestsByNoun(code: string): string[] {
  return byNoun.flatMap(([pattern, called]) =>
    [...code.matchAll(pattern)].flatMap(([, text, template, name]) =>
      fill(`/v1/${text ?? template ?? `\${${name}}`}/:id`, code).flatMap((path) =>
        called.map((method) => `${method} ${path}`),
      ),
    ),
  )
}

/** Returns the requests whose paths stand in the sources of the dashboard. Types that name a path do not count. */
function findRequests(): Set<string> {
  const root = new URL('../dashboard/src/', import.meta.url)
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.ts$|^api\/endpoints/.test(file))
  const found = files.flatMap((file) => {
    const code = readFileSync(new URL(file, root), 'utf8')
    const written = [...code.matchAll(/(?<!<)(['"`])(\/(?:v1|auth)\/[^'"`?\s]*)\1/g)].flatMap(
      ({ index, 2: path = '' }) => {
        const before = code.slice(0, index).replace(/\(\s+$/, '(')
        const [, called] = methods.find(([pattern]) => pattern.test(before)) ?? [undefined, ['GET']]
        return called!.flatMap((method) => fill(path, code).map((filled) => `${method} ${filled}`))
      },
    )
    return [...requestsByNoun(code), ...written]
  })
  return new Set(found)
}

/** Puts the texts that a placeholder may be into a path: those of its field or type in the same file. */
function fill(path: string, code: string): string[] {
  const [placeholder, name = ''] = /\$\{(?:\w+\.)?(\w+)\}/.exec(path) ?? []
  if (!placeholder) return [path]
  const union = new RegExp(`\\b${name}(?:: | = )((?:\\|?\\s*'[\\w/-]+'\\s*)+)`, 'gi')
  const texts = [...code.matchAll(union)].flatMap(([, all]) =>
    [...all!.matchAll(/'([\w/-]+)'/g)].map(([, text]) => text!),
  )
  return texts.flatMap((text) => fill(path.replace(placeholder, text), code))
}

const requests = findRequests()
const isCalled = (name: string) => requests.has(name)
const names = routes.map(({ method, path }) => `${method} ${path}`)

test('every endpoint of the API is called by a page of the dashboard', () => {
  const unreached = names.filter((name) => !notForPages.test(name) && !(name in exceptions) && !isCalled(name))
  assert.deepEqual(
    unreached,
    [],
    'Call it in the folder of its page in dashboard/src/, or write into `exceptions` why no page needs it.',
  )
})

test('an endpoint that a page calls is no exception, and the exceptions are endpoints', () => {
  const wrong = Object.keys(exceptions).filter((name) => isCalled(name) || !names.includes(name))
  assert.deepEqual(wrong, [], 'Take it out of `exceptions`.')
})
