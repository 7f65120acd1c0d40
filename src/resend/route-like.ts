import Type, { type Static, type TSchema } from 'typebox'
import { apiKeyRoutes } from '../api-keys/routes.ts'
import { broadcastRoutes } from '../broadcasts/routes.ts'
import { contactRoutes } from '../contacts/routes.ts'
import type { Caller } from '../context.ts'
import { domainRoutes } from '../domains/routes.ts'
import { emailRoutes } from '../emails/routes.ts'
import type { Route } from '../platform/http/route.ts'
import { routeLike, routeOfOperation } from '../platform/http/route-like.ts'
import { AnyObject, IdOf, Strict } from '../platform/http/schema/schema.ts'
import { segmentRoutes } from '../segments/routes.ts'
import { suppressionRoutes } from '../suppressions/routes.ts'
import { templateRoutes } from '../templates/routes.ts'
import { topicRoutes } from '../topics/routes.ts'
import { webhookRoutes } from '../webhooks/routes.ts'
import { PageQuery } from './pages.ts'
import { withRepeated } from './repeated.ts'

const ours = [
  ...[emailRoutes, domainRoutes, apiKeyRoutes, contactRoutes, segmentRoutes, topicRoutes],
  ...[suppressionRoutes, templateRoutes, broadcastRoutes, webhookRoutes],
].flat()

type Address = `${Route['method']} /${string}`

/** The parameters of a path, by name. Each is an id, an address or an alias. */
type Named<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & Named<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown

/** A request that has passed the schemas of its row. */
type Input<Path extends string, Body = unknown, Query = unknown> = Named<Path> &
  Pick<Parameters<Route['handle']>[0], 'app' | 'idempotencyKey' | 'bounded' | 'request'> & {
    caller: Caller
    teamId: string
    body: Body
    query: Query
  }

/** Without a handler, a row does what ours does. */
type Declare = {
  (operationId: string, address: Address): Route
  <A extends Address>(operationId: string, address: A, handle: (input: Input<A>) => Promise<unknown>): Route
  <A extends Address, Body extends TSchema>(
    operationId: string,
    address: A,
    body: Body,
    handle: (input: Input<A, Static<Body>>) => Promise<unknown>,
  ): Route
}

/** Declares routes that answer what they return. */
export const like = declare((made) => made)

/** Declares routes of a noun: `shows` answers what it returns, and `does` the id of its path. */
export function rowsOf(object: string) {
  return {
    shows: declare((made) => ({ object, ...(made as object) })),
    does: declare((_, { id }) => ({ object, id })),
  }
}

/** Shows the rows of a list that are selected in Resend's form. */
export const asRead = (row: object) => row

/** Declares a list. `shown` makes Resend's form of a row that is read. */
export function lists<Path extends `/${string}`, Row, Query extends typeof PageQuery = typeof PageQuery>(
  operationId: string,
  path: Path,
  shown: (row: Row, caller: Caller) => object,
  read: (input: Input<Path, unknown, Static<Query>>) => Promise<{ data: Row[]; hasMore: boolean }>,
  query?: Query,
): Route {
  const repeating = withRepeated(query ?? PageQuery, path)
  return theirRoute(operationId, `GET ${path}`, { query: repeating.schema }, async (input) => {
    const given = { ...input, query: repeating.without(input.query, (input.params ?? {}) as Record<string, string>) }
    // The schemas of the row have checked what it gets.
    const { data, hasMore } = await read(given as unknown as Parameters<typeof read>[0])
    return { object: 'list', has_more: hasMore, data: data.map((row) => shown(row, input.caller)) }
  })
}

type Handle = (input: never) => Promise<unknown>

function declare(answer: (made: unknown, params: Record<string, string>) => unknown): Declare {
  return (operationId: string, address: Address, ...given: [handle?: Handle] | [body: TSchema, handle: Handle]) => {
    const [body, handle = routeOfOperation(ours, operationId).handle] =
      given.length === 2 ? given : [undefined, ...given]
    const repeating = body && withRepeated(body, address)
    return theirRoute(operationId, address, { ...(repeating && { body: repeating.schema }) }, async (input) => {
      const params = (input.params ?? {}) as Record<string, string>
      // The schemas of the row have checked what it gets.
      const given = repeating ? { ...input, body: repeating.without(input.body, params) } : input
      return answer(await (handle as (input: unknown) => Promise<unknown>)(given), params)
    })
  }
}

type Given = { caller: Caller; teamId: string; params: unknown; query: unknown; body: unknown }

/**
 * Makes a route of Resend's API that does the same as one of ours: with its permission, roles, place in test mode, and
 * bounds. What creates something answers 201.
 */
function theirRoute(
  operationId: string,
  address: Address,
  schemas: { body?: TSchema; query?: TSchema },
  handle: (input: Given) => Promise<unknown>,
): Route {
  const [method, path] = address.split(' ') as [Route['method'], string]
  const params = paramsOf(path)
  return routeLike(routeOfOperation(ours, operationId), {
    ...{ method, path: `/resend${path}`, response: AnyObject(), ...schemas, ...(params && { params }) },
    ...(operationId.startsWith('create') && { status: 201 }),
    handle({ caller, ...input }) {
      return handle({ ...input, ...(input.params as object), caller: caller!, teamId: caller!.teamId })
    },
  })
}

/** `id` and names that end in `Id` are ids; other parameters may also be an address or an alias. */
function paramsOf(path: string): TSchema | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  if (names.length === 0) return undefined
  const text = Type.String({ minLength: 1, maxLength: 320 })
  return Strict(Object.fromEntries(names.map((name) => [name, /^id$|Id$/.test(name) ? IdOf('the resource') : text])))
}
