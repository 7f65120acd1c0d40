import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** A document in the forms in which it is sent. It is made once, so that an answer costs no more than writing it. */
export type Prepared = { type: string; maxAgeSeconds: number; plain: Buffer; gzipped: Buffer; etag: string }

export async function prepare(content: string, type: string, maxAgeSeconds: number): Promise<Prepared> {
  const plain = Buffer.from(content)
  const etag = hash('sha256', plain, 'base64url').slice(0, 22)
  return { type, maxAgeSeconds, plain, gzipped: await compress(plain, { level: 9 }), etag }
}

/** Sends the document, compressed if the client accepts that; 304 if the client has it already. */
export function sendPrepared(document: Prepared, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const gzipped = takesCoding('gzip', request.headers['accept-encoding'])
  // RFC 9110, 8.8.3.3: each encoding has a tag of its own.
  const etag = gzipped ? `"${document.etag}-gzip"` : `"${document.etag}"`
  reply.headers({
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': `public, max-age=${document.maxAgeSeconds}`,
  })
  if (isKnown(etag, request.headers['if-none-match'])) return reply.status(304).send()
  if (gzipped) reply.header('Content-Encoding', 'gzip')
  return reply.type(document.type).send(gzipped ? document.gzipped : document.plain)
}

/** Tells whether an Accept-Encoding header allows a coding, such as `gzip`. */
export function takesCoding(coding: string, accepted = ''): boolean {
  return accepted.split(',').some((offer) => {
    const [name = '', ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
    return (name === coding || name === '*') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/** Tells whether an If-None-Match header names an entity tag. */
export function isKnown(etag: string, known = ''): boolean {
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
