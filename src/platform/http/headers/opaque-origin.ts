import type { FastifyReply, FastifyRequest } from 'fastify'

/** Parts of the API whose callers send a key. A browser's cookie reaches none of them from another origin. */
const keyed = /^\/v1\//

/**
 * Lets pages without an origin of their own (`Origin: null`) call the API with a key and read the answer. `/docs` is
 * such a page, so that its script has no session. Browsers send no cookie with these calls, as no answer allows
 * credentials.
 */
export function allowOpaqueOrigin({ headers, url }: FastifyRequest, reply: FastifyReply): void {
  if (headers.origin !== 'null' || !keyed.test(url)) return
  reply.headers({
    'Access-Control-Allow-Origin': 'null',
    'Access-Control-Expose-Headers':
      'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
    Vary: 'Origin',
  })
}

/** Answers the question of a browser whether such a page may make a request. */
export function allowPreflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
  if (headers.origin !== 'null' || !reply.hasHeader('Access-Control-Allow-Origin')) return
  reply.headers({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
    'Access-Control-Max-Age': '600',
  })
}
