import type { Caller } from '../context.ts'
import { refusalInTest, refusalOf } from '../platform/http/access.ts'
import type { Route } from '../platform/http/route.ts'
import { perApp } from '../platform/per-app.ts'
import type { Json } from '../reference/components.ts'
import { hasRole, rolesOf } from '../teams/roles/refuse-role.ts'
import { toolFault } from './guard.ts'
import { type Input, inputOf } from './input.ts'
import type { Rules } from './rules.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

export type RoutedTool = { tool: Tool; route: Route; input: Input }

/** Finds the route of each tool. The owner is the server's table, which never changes. */
export const routedTools = perApp((routes: readonly Route[]) => {
  const byOperation = new Map(routes.map((route) => [route.operationId, route]))
  return new Map(
    tools.map((tool): [string, RoutedTool] => {
      const route = byOperation.get(tool.operationId)
      if (!route) throw new Error(`No route is ${tool.operationId}, which ${tool.name} calls.`)
      return [tool.name, { tool, route, input: inputOf(tool, route) }]
    }),
  )
})

/** Lists the tools that a caller may call on a connection, as the protocol describes them. */
export function listTools(routed: Iterable<RoutedTool>, caller: Caller, rules: Rules): Json[] {
  return [...routed]
    .filter(({ tool, route }) => rules.toolsets.has(tool.toolset) && !toolFault(tool, rules) && mayCall(caller, route))
    .map(({ tool: { name, title, description, hints, recipients }, input: { schema } }) => {
      const inputSchema = rules.from === null ? schema : withoutSender(schema, recipients)
      return { name, title, description, inputSchema, annotations: hints }
    })
}

/** The connection has the only sender, so it need not be given. */
function withoutSender(schema: Json, recipients: Tool['recipients']): Json {
  if (recipients === 'emails') {
    const { emails } = schema.properties as { emails: Json & { items: Json } }
    return {
      ...schema,
      properties: {
        ...(schema.properties as Json),
        emails: { ...emails, items: withoutSender(emails.items, 'email') },
      },
    }
  }
  if (recipients !== 'email' && recipients !== 'draft') return schema
  return { ...schema, required: (schema.required as string[]).filter((name) => name !== 'from') }
}

/** Tells whether a route would let a caller in. What it refuses by its input is found at the call. */
function mayCall(caller: Caller, route: Route): boolean {
  if (caller.kind === 'user' && !hasRole(caller, rolesOf(route))) return false
  return !refusalOf(route, caller) && !refusalInTest(route, caller)
}
