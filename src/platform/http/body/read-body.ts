import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../../../context.ts'
import { DomainError, invalid, unavailable } from '../../errors.ts'
import { type ByteLease, createByteBudget } from '../../limits/byte-budget.ts'
import { networkOf } from '../../network/network.ts'
import { perApp } from '../../per-app.ts'
import { longWorkBytes, takeTurn } from '../../waiting/turns.ts'
import { dialectOf } from '../dialect.ts'
import { createPace, type Pace } from '../overload/pace.ts'
import { whenAnswered } from '../overload/when-answered.ts'
import { type BodyForm, routeOf } from '../route.ts'
import { membersMaxUsual, parseJson, readForm, readRepeatingForm, textOf } from './read-json.ts'
import { refuseExcess } from './scan-json.ts'

/** Four of the largest bodies that an endpoint accepts. Files that are fetched for a request count too. */
export const teamBodiesOf = perApp(() => createByteBudget(160 * 1024 * 1024))
/** Counted separately, so that requests without a key do not use the teams' share. */
const strangersSizeMax = 32 * 1024 * 1024

/** After a burst, a sender may pause for 40 s. */
const paceBounds = { graceMs: 10_000, aheadMaxBytes: 30 * 1024 }

type Bounds = { lease: ByteLease; pace: Pace }

/** Reads the body of every request in the form that its route takes. An empty body is undefined. */
export function readBodies(server: FastifyInstance, app: App): void {
  const [teams, strangers] = [teamBodiesOf(app), createByteBudget(strangersSizeMax)]
  const pace = createPace(app.clock, paceBounds)
  server.addHook('onClose', async () => pace.stop())
  const leases = new WeakMap<FastifyRequest, ByteLease>()
  const handled = new WeakSet<FastifyRequest>()
  const answered = new WeakSet<FastifyRequest>()
  server.addHook('preParsing', async (request, reply, payload) => {
    const { caller, ip } = request
    const lease = caller ? teams.lease(caller.teamId) : strangers.lease(networkOf(ip))
    leases.set(request, lease)
    // The body stays in memory until the request is answered, and until it is handled if the client has left.
    whenAnswered(request, reply, () => {
      answered.add(request)
      if (handled.has(request) || reply.sent) lease.end()
    })
    // Fastify would refuse a malformed Content-Type.
    if (routeOf(request)?.forgiving) delete request.raw.headers['content-type']
    return payload
  })
  server.addHook('onSend', async (request) => {
    handled.add(request)
    if (answered.has(request)) leases.get(request)!.end()
  })
  server.removeAllContentTypeParsers()
  // A refusal is passed on as the body, for `preValidation` to throw. Fastify closes the connection on an error thrown
  // here, and a client that still writes may then lose the answer.
  server.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(request, payload, { lease: leases.get(request)!, pace }).catch((error) =>
      error instanceof DomainError ? error : Promise.reject(error),
    ),
  )
}

async function readBody(request: FastifyRequest, payload: IncomingMessage, bounds: Bounds): Promise<unknown> {
  if (request.headers['content-length'] === '0') return undefined
  const { takes = 'json', forgiving = false, membersMax = membersMaxUsual } = routeOf(request) ?? {}
  if (forgiving) return discard(payload, bounds.pace)
  const type = refuseOtherTypes(takes, request.headers)
  const bytes = await readBytes(payload, request.routeOptions.bodyLimit, bounds)
  const isLong = bytes.length > longWorkBytes
  if (isLong) await takeTurn()
  if (takes === 'bytes') return bytes
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw invalid('body', 'is not UTF-8')
  if (type === formType)
    return takes === 'form' ? readForm(textOf(bytes)) : readRepeatingForm(textOf(bytes), membersMax)
  const json = dialectOf(request)?.rewriteBody?.(bytes) ?? bytes
  const found = refuseExcess(json, membersMax)
  if (isLong) await takeTurn()
  return parseJson(textOf(json), found)
}

const formType = 'application/x-www-form-urlencoded'
const forms: Record<Exclude<BodyForm, 'bytes'>, { takes(type: string): boolean; name: string; header: string }> = {
  json: { takes: (type) => type === 'application/json', name: 'JSON in UTF-8', header: 'application/json' },
  form: { takes: (type) => type === formType, name: 'a form', header: formType },
  data: {
    takes: (type) => type === formType || /^(application\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)$/.test(type),
    name: 'JSON in UTF-8 or as a form',
    header: `application/json, a type that ends in +json, or ${formType}`,
  },
}

/** Returns the media type in lower case. */
function refuseOtherTypes(takes: BodyForm, headers: IncomingHttpHeaders): string {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new DomainError('unsupported', 'Send the body without Content-Encoding.')
  }
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  const known = charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset)
  if (takes === 'bytes' || (forms[takes].takes(type.trim()) && known)) return type.trim()
  const { name, header } = forms[takes]
  throw new DomainError('unsupported', `Send the body as ${name}, with the header Content-Type: ${header}.`)
}

/**
 * Refuses a body as soon as it is announced or found to be too long. The rest is read and discarded (until
 * `requestTimeout`), since a client that is cut off while it writes may never read the answer.
 */
function readBytes(payload: IncomingMessage, sizeMax: number, { lease, pace }: Bounds): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const refuse = (refusal: DomainError) => {
    endWatch()
    lease.end()
    chunks.length = 0
    payload.off('data', take).resume()
    reject(refusal)
  }
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size > sizeMax) return refuse(tooLarge(sizeMax))
    if (!lease.take(chunk.length)) return refuse(tooManyBytes())
    chunks.push(chunk)
  }
  const endWatch = pace.watch(
    () => size,
    () => refuse(tooSlow()),
  )
  const refuseCut = () => refuse(invalid('body', 'ended before it was complete'))
  if (Number(payload.headers['content-length'] ?? 0) > sizeMax) refuse(tooLarge(sizeMax))
  else payload.on('data', take)
  payload.once('error', refuseCut).once('aborted', refuseCut)
  payload.once('end', () => {
    endWatch()
    resolve(Buffer.concat(chunks))
  })
  return promise
}

/** Reads a body of any size and discards it. Resolves at its end, or after the grace. */
function discard(payload: IncomingMessage, pace: Pace): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const end = () => {
    endWatch()
    resolve(undefined)
  }
  // The watch sees no bytes, so it always ends after its grace.
  const endWatch = pace.watch(() => 0, end)
  payload.on('error', end).once('aborted', end).once('end', end).resume()
  return promise
}

/** The refusal of bytes for which a share has no room. */
export function tooManyBytes(): DomainError {
  return unavailable('Too many large requests at once. Try again shortly.', 2)
}

function tooSlow(): DomainError {
  return new DomainError('tooSlow', 'The body came at less than 1 KiB a second. Send it again on a faster connection.')
}

function tooLarge(sizeMax: number): DomainError {
  const mib = 1024 * 1024
  const size = sizeMax < mib ? `${sizeMax / 1024} KiB` : `${sizeMax / mib} MiB`
  return new DomainError('tooLarge', `The body is larger than the ${size} this endpoint takes.`)
}
