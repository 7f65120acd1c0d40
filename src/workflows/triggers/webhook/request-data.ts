import type { FastifyRequest } from 'fastify'
import { causeHeader } from '../../../platform/cause/header.ts'
import { invalid } from '../../../platform/errors.ts'

/** Headers of the connection (RFC 9110, 7.6.1), and secrets of the sender, which the history must not show. */
const leftOut = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['authorization', 'proxy-authorization', 'cookie', causeHeader.toLowerCase()],
])

/**
 * Makes trigger data of a request. Names of headers are in lower case; a repeated name in the query has the list of its
 * values.
 */
export function requestData({ headers, query, body }: FastifyRequest) {
  const parameters = query as Record<string, string | string[]>
  if (Object.hasOwn(parameters, '__proto__')) throw invalid('__proto__', 'is not a name that can be used')
  return {
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !leftOut.has(name))),
    query: { ...parameters },
    body,
  }
}
