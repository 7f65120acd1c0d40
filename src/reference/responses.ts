import type { Route } from '../platform/http/route.ts'
import type { Components, Json } from './components.ts'
import { answerExampleOf } from './example.ts'
import { headersOf } from './headers.ts'
import { refusalResponsesOf } from './refusals.ts'

/** Returns the responses of a route by status: its success and its refusals. */
export function responsesOf(route: Route, components: Components): Record<string, Json> {
  return { [route.status ?? 200]: successOf(route, components), ...refusalResponsesOf(route, components) }
}

function successOf({ produces, alsoProduces, response, versioned }: Route, components: Components): Json {
  const text = produces ?? alsoProduces
  const content = {
    ...(!produces && {
      'application/json': { schema: components.refer(response), example: answerExampleOf(response) },
    }),
    ...(text && { [text.split(';')[0]!]: { schema: { type: 'string' } } }),
  }
  return { description: 'Done.', ...headersOf(components, versioned ? ['ETag'] : []), content }
}
