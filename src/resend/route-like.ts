import Type, { type Static, type TSchema } from 'typebox'
import { apiKeyRoutes } from '../api-keys/routes.ts'
import { broadcastRoutes } from '../broadcasts/routes.ts'
import { contactRoutes } from '../contacts/routes.ts'
import type { App, Caller } from '../context.ts'
import { domainRoutes } from '../domains/routes.ts'
import { emailRoutes } from '../emails/routes.ts'
import type { Bounded, Route } from '../platform/http/route.ts'
import { routeLike } from '../platform/http/route-like.ts'
import { AnyObject, IdOf, Strict } from '../platform/http/schema/schema.ts'
import { segmentRoutes } from '../segments/routes.ts'
import { suppressionRoutes } from '../suppressions/routes.ts'
import { templateRoutes } from '../templates/routes.ts'
import { topicRoutes } from '../topics/routes.ts'
import { webhookRoutes } from '../webhooks/routes.ts'

const ours = [
  ...[emailRoutes, domainRoutes, apiKeyRoutes, contactRoutes, segmentRoutes, topicRoutes],
  ...[suppressionRoutes, templateRoutes, broadcastRoutes, webhookRoutes],
].flat()
const byOperation = new Map(ours.map((route) => [route.operationId, route]))

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** The request of a row, whose body and query have passed its schemas. */
type Input<B, Q> = {
  body: Shape<B>
  query: Shape<Q>
  /** What the path names: an id, an address or an alias. */
  id: string
  /** What the path names within that. */
  innerId: string
  key: string | null
  bounded: Bounded
  header(name: string): string | undefined
}

type Row<B, Q> = { body?: B; bodyOptional?: true; query?: Q; status?: 200 | 201 }

/**
 * Makes a route of Resend's API that does the same as one of ours: with its permission, roles, place in test mode, and
 * bounds. `:id` and names that end in `Id` are ids; other parameters may also be an address or an alias.
 */
export function like<B extends TSchema | undefined = undefined, Q extends TSchema | undefined = undefined>(
  operationId: string,
  method: Route['method'],
  path: string,
  handle: (app: App, caller: Caller, input: Input<B, Q>) => Promise<unknown>,
  { body, bodyOptional, query, status }: Row<B, Q> = {},
): Route {
  const own = byOperation.get(operationId)
  if (!own) throw new Error(`There is no operation ${operationId}.`)
  const params = paramsOf(path)
  return routeLike(own, {
    ...{ method, path: `/resend${path}`, response: AnyObject() },
    ...(body && { body }),
    ...(bodyOptional && { bodyOptional }),
    ...(query && { query }),
    ...(params && { params }),
    ...(status && { status }),
    handle: (input) => {
      const { app, caller, body, query, params, idempotencyKey: key, bounded, request } = input as HandleInput<B, Q>
      return handle(app, caller, {
        ...{ body, query, key, bounded, id: idIn(params), innerId: params?.segmentId ?? params?.eventId ?? '' },
        header: (name) => [request.headers[name]].flat()[0],
      })
    },
  })
}

type HandleInput<B, Q> = Omit<Parameters<Route['handle']>[0], 'caller' | 'body' | 'query' | 'params'> & {
  caller: Caller
  body: Shape<B>
  query: Shape<Q>
  params: Record<string, string> | undefined
}

function idIn({ id, contact, template, suppression }: Record<string, string> = {}): string {
  return id ?? contact ?? template ?? suppression ?? ''
}

function paramsOf(path: string): TSchema | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  if (names.length === 0) return undefined
  const text = Type.String({ minLength: 1, maxLength: 320 })
  return Strict(Object.fromEntries(names.map((name) => [name, /^id$|Id$/.test(name) ? IdOf('the resource') : text])))
}
