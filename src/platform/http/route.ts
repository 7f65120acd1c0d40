import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { App, Caller, Role } from '../../context.ts'
import type { RefusalKind } from '../errors.ts'
import type { KnownVersions } from '../version.ts'
import type { Noun } from './nouns.ts'
import type { OutboundCall } from './outbound-call.ts'
import { IdParams, withMode } from './schema/schema.ts'

/**
 * The least permission of a caller. `public`: none; `user`: a signed-in person; `send`: any key or person; `full`: a
 * person or a full_access key.
 */
export type Access = 'public' | 'user' | 'send' | 'full'

/**
 * Where a resource is in test mode. `apart`: in each mode, so the handler gets the caller of the mode of its key, or of
 * `?mode=` for a user. `shared`: in both at once, so test mode reads it and does not change it. `walled`: the handler
 * itself keeps to what the caller's mode allows. A route without it is not part of test mode.
 */
type InTest = 'apart' | 'shared' | 'walled'

/** What a request changes: a noun, or one of two words that `changes` of a route explains. */
type Changes = Noun | 'account' | 'nothing'

/**
 * How a body is read. `bytes` keeps it unchanged, for signatures over it. `data` is what others send: JSON of any type
 * that ends in `+json`, or a form, as an object of texts and of lists of texts.
 */
export type BodyForm = 'json' | 'form' | 'bytes' | 'data'

type ReceivedBody = {
  schema: TSchema
  /** `application/json` if left out. */
  contentType?: string
  /** The headers that authenticate the sender, by name, with their descriptions. */
  headers?: Record<string, string>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Runs `read`, and reserves memory for it first if it takes many bytes. For handlers that learn the size of a large
 * answer together with small ones; `answerBytes` is for the others.
 */
export type Bounded = <T>(sizeBytes: number, read: () => Promise<T>) => Promise<T>

type RouteInput<Body, Query, Params, Who> = {
  app: App
  caller: Who
  body: Body
  query: Query
  params: Params
  /** The checked `Idempotency-Key`, on routes that honour it. */
  idempotencyKey: string | null
  /** The versions that `If-Match` names, on versioned routes. Null without it. */
  knownVersions: KnownVersions
  bounded: Bounded
  request: FastifyRequest
  reply: FastifyReply
}

type Shape<S> = S extends TSchema ? Static<S> : undefined

type Common<A extends Access> = {
  access: A
  inTest?: InTest
  /** Refuses sending keys of one domain, which send email of that domain and use no other channel. */
  closedToDomainKeys?: true
  /** The feature, as the reference page groups it. */
  tag: string
  /**
   * The command of the command line that performs it. Null if it has none, or one that is made by hand. If left out, it
   * has the name of the method: `segments add-contacts`.
   */
  command?: string | null
}

type RouteSpec<A extends Access, Body, Query, Params, Response> = {
  /** The roles of signed-in users that may call it, from `teams/roles/roles.ts`. All of them if a GET leaves it out. */
  roles?: readonly Role[]
  /**
   * The noun that a request changes, as in the path of its list, so that views of it are fetched again. `account`: of
   * the person, who may thereby gain or lose access. `nothing`: it only reads, although it is a POST, and a browser
   * asks for it as often as for a GET.
   */
  changes?: Changes
  /** Open to members who have yet to set up the second factor that their team requires. */
  forSetup?: boolean
  /**
   * The method of the SDK that calls it, such as `segments.addContacts`. If left out, it follows from the address:
   * `POST /v1/domains/:id/verify` is `domains.verify`.
   */
  sdk?: string
  /**
   * Asks a signed-in user whose login is older than 15 minutes for the password or a code again. A text says in which
   * cases: the handler then calls `refuseStaleLogin` itself. The cases depend on rows that it locks, and other refusals
   * come first.
   */
  asksAgain?: true | string
  summary: string
  description?: string
  body?: Body
  /** The body may be missing and then is `{}`. */
  bodyOptional?: boolean
  /** JSON if left out; another content type is refused. */
  takes?: BodyForm
  /** Describes a body that the route reads from its bytes. Shown in the reference; the server does not check it. */
  receives?: ReceivedBody
  /** Requests that the server sends because of this route. Shown in the reference as `webhooks`. */
  sends?: OutboundCall[]
  query?: Query
  /** Accepts any query: its names are the caller's own and may repeat. */
  anyQuery?: boolean
  /** If left out, a path with `:id` has `IdParams`, and another path has no parameters. */
  params?: Params
  response: Response
  /** The success status; 200 if left out. */
  status?: 200 | 201 | 202
  /** Refusals in addition to the usual ones of such routes. */
  refusals?: RefusalKind[]
  /** Names of refusals other than the usual one of their kind. */
  refusalNames?: Partial<Record<RefusalKind, string[]>>
  /** Schemas of refusals with bodies other than `{status_code, name, message}`. */
  refusalBodies?: Partial<Record<RefusalKind, TSchema>>
  /** 1 MiB if left out; 64 KiB for changes of an account. */
  bodyLimitBytes?: number
  /**
   * Returns the size of an answer that may be large. Memory is reserved before it is loaded. Null if the resource does
   * not exist.
   */
  answerBytes?(app: App, caller: Caller, id: string): Promise<number | null>
  /** The most members and elements of a JSON body; 10,000 if left out. */
  membersMax?: number
  /** Honours `Idempotency-Key`. A text describes the effect of a known key, if it differs from the usual one. */
  idempotent?: boolean | string
  /**
   * Answers carry an `ETag`, and a change honours `If-Match`. The answer is as `refuseOtherVersion` sees the resource.
   */
  versioned?: boolean
  /** Not rate-limited. For paths that recipients of mail open, thousands of whom may share an address. */
  unlimited?: boolean
  /** Answered until the process ends, also when it is shutting down. For probes and scrapers. */
  whileDraining?: boolean
  /** Answered under any host name with TRACKING_SUBDOMAINS=on. For tracked links. */
  onTrackingHosts?: boolean
  /** Accepts any query, and discards a body of any type and size. For requests of mail software. */
  forgiving?: boolean
  /** The content type of a success that is not JSON. */
  produces?: string
  /** The content type of a success in another form, which the Accept header can request. */
  alsoProduces?: string
  /** The name of the body's array whose faults are answered with `{error, index}`, as in email batches. */
  batchOf?: string
  handle(
    input: RouteInput<Shape<Body>, Shape<Query>, Shape<Params>, A extends 'public' ? null : Caller>,
  ): Promise<unknown>
}

/** A route without its types, for the server, the reference page and the tests over all routes. */
export type Route = Omit<
  RouteSpec<Access, TSchema | undefined, TSchema | undefined, TSchema | undefined, TSchema>,
  'handle'
> &
  Common<Access> & {
    method: Method
    /** With `:name` parameters. */
    path: string
    /** Undefined for those that are internal. */
    operationId: string | undefined
    handle(input: RouteInput<unknown, unknown, unknown, Caller | null>): Promise<unknown>
  }

/** Returns the route of a request; undefined for unknown paths and malformed URLs. */
export function routeOf(request: FastifyRequest): Route | undefined {
  return (request.routeOptions.config as { route?: Route } | undefined)?.route
}

type Address = `${Method} /${string}`

/** The fields that a request which changes something must have. */
type Change = Required<Pick<RouteSpec<Access, undefined, undefined, undefined, TSchema>, 'roles' | 'changes'>>

/** A route that is not public and may change something says which roles may call it, and what it changes. */
type Owed<A extends Access, At extends Address> = A extends 'public'
  ? unknown
  : At extends `GET ${string}`
    ? unknown
    : Change

type UsualParams<At extends Address> = At extends `${string}/:id` | `${string}/:id/${string}`
  ? typeof IdParams
  : undefined

/**
 * Declares a route: everything that is known of it, and one call. Its address is a method and a path with `:name`
 * parameters. `operationId` is a verb and its noun, as code calls it: `sendEmail`. Clients are generated from it, so it
 * never changes. It is null for a path outside the API: a file of a page, such as its script, or a protocol of its own.
 */
export function route<
  A extends Access,
  At extends Address,
  Response extends TSchema,
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Params extends TSchema | undefined = UsualParams<At>,
>(
  address: At,
  operationId: string | null,
  spec: Common<A> & RouteSpec<A, Body, Query, Params, Response> & Owed<A, At>,
): Route {
  return made(address, operationId ?? undefined, spec as unknown as Spec)
}

/**
 * Returns the function `route` of a file. `usual` holds the fields that its routes share, and `change` those that its
 * routes other than a GET share. A field that a route gives itself takes their place.
 */
export function routesOf<Usual extends Access, Said extends keyof Change = never>(
  usual: Common<Usual>,
  change?: Pick<Change, Said>,
) {
  return <
    At extends Address,
    Response extends TSchema,
    A extends Access = Usual,
    Body extends TSchema | undefined = undefined,
    Query extends TSchema | undefined = undefined,
    Params extends TSchema | undefined = UsualParams<At>,
  >(
    address: At,
    operationId: string,
    spec: Partial<Common<A>> & RouteSpec<A, Body, Query, Params, Response> & Omit<Owed<A, At>, Said>,
  ): Route =>
    made(address, operationId, { ...usual, ...(!address.startsWith('GET ') && change), ...spec } as unknown as Spec)
}

type Spec = Omit<Route, 'method' | 'path' | 'operationId'>

function made(address: string, operationId: string | undefined, spec: Spec): Route {
  const [method, path] = address.split(' ') as [Method, string]
  const query = takesMode({ method, inTest: spec.inTest }) ? withMode(spec.query) : spec.query
  const params = spec.params ?? (/\/:id(\/|$)/.test(path) ? IdParams : undefined)
  return { ...spec, method, path, operationId, ...(query && { query }), ...(params && { params }) }
}

/** Tells whether a user may name a mode. What both modes share takes it when it is read, and answers the same. */
export function takesMode({ method, inTest }: Pick<Route, 'method' | 'inTest'>): boolean {
  return inTest === 'apart' || (inTest === 'shared' && method === 'GET')
}
