import type { Route } from '../platform/http/route.ts'
import { version } from '../version.ts'
import { operationOf, outboundOperationOf } from './operation.ts'
import { type Prepared, prepare } from './prepared.ts'
import { errorSchemas, responseHeaders } from './responses.ts'

type Json = Record<string, unknown>

const documents = new WeakMap<readonly Route[], Map<string, Promise<Prepared>>>()
/** The document changes with the release and with `PUBLIC_URL`. */
const maxAgeSeconds = 300

/** The OpenAPI 3.1 document of a route table, ready to be sent. Made once for each table and base URL. */
export function prepareDocument(routes: readonly Route[], publicUrl: string | null): Promise<Prepared> {
  const made = documents.get(routes) ?? new Map<string, Promise<Prepared>>()
  documents.set(routes, made)
  const key = publicUrl ?? ''
  const document =
    made.get(key) ??
    prepare(JSON.stringify(describe(routes, publicUrl)), 'application/json; charset=utf-8', maxAgeSeconds)
  made.set(key, document)
  return document
}

function describe(routes: readonly Route[], publicUrl: string | null): Json {
  const shown = routes.filter((route) => !route.internal).sort((one, other) => lateness(one) - lateness(other))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Without a configured URL the document describes the server that it came from.
    servers: [{ url: publicUrl ?? '/' }],
    tags: [...new Set(shown.map((route) => route.tag))].map((name) => ({ name })),
    paths: pathsOf(shown),
    webhooks: Object.fromEntries(
      shown.flatMap(({ sends = [] }) => sends.map((call) => [call.name, { post: outboundOperationOf(call) }])),
    ),
    components: {
      schemas: errorSchemas,
      headers: responseHeaders,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `ph_…`.' },
        user: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a signed-in user.',
        },
      },
    },
  }
}

/** Sorts probes and the document itself to the end. */
function lateness({ tag }: Route): number {
  return ['Health', 'Reference'].indexOf(tag)
}

const introduction = `The messaging platform you run yourself.

Every request but the public ones carries \`Authorization: Bearer <API key or access token>\`. A \`sending_access\` key may
call what says so; all else takes \`full_access\` or a signed-in user. Fields that are not known are refused, so that a
misspelt one cannot mislead. Errors say what to do about them.`

function pathsOf(routes: Route[]): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return paths
}
