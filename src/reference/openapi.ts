import type { Route } from '../platform/http/route.ts'
import { PageEnd } from '../platform/http/schema/schema.ts'
import { version } from '../version.ts'
import { type Components, createComponents, type Json } from './components.ts'
import { type Operation, operationOf, outboundOperationOf, usualSecurity } from './operation.ts'
import { omitShownExamples, shareFields, shareParts } from './share.ts'
import { tagDescriptions } from './tags.ts'

/** Describes a route table as an OpenAPI 3.1 document. `baseUrl` is absolute, without a slash at its end. */
export function describe(routes: readonly Route[], baseUrl: string): Json {
  const shown = routes.filter((route) => route.operationId).sort((one, other) => lateness(one) - lateness(other))
  const components = createComponents()
  const paths = pathsOf(shown, components)
  const calls = shown.flatMap(({ sends = [] }) => sends)
  const webhooks = Object.fromEntries(calls.map((call) => [call.name, { post: outboundOperationOf(call, components) }]))
  shareParts({ ...paths, ...webhooks }, components)
  // Lists extend it, and no route answers with it.
  components.refer(PageEnd)
  shareFields(components)
  omitShownExamples([paths, webhooks, components.responses], components)
  const { schemas, parameters, responses, headers } = components
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      version,
      description: introduction,
      contact: { name: 'Posthorn', url: `${baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: usualSecurity,
    tags: tagsOf(shown),
    paths,
    webhooks,
    components: { schemas, parameters, responses, headers, securitySchemes },
  }
}

function tagsOf(routes: Route[]): Json[] {
  return [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: tagDescriptions[name] }))
}

const securitySchemes: Json = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `ph_…`.' },
  user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a signed-in user.',
  },
}

/** Sorts probes and the document itself to the end. */
function lateness({ tag }: Route): number {
  return ['Health', 'Reference'].indexOf(tag)
}

const introduction = `The messaging platform you run yourself.

Every request but the public ones carries \`Authorization: Bearer <API key or access token>\`. A \`sending_access\` key may
call what says so; all else takes \`full_access\` or a signed-in user. Fields that are not known are refused, so that a
misspelt one cannot mislead. Errors say what to do about them.

Every answer carries the headers \`X-Request-Id\`, \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.
They are described once, at the response 500, which every operation has.`

function pathsOf(routes: Route[], components: Components): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) }
  }
  return paths
}
