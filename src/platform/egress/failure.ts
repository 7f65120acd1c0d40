import { ConnectionRefused } from './connect.ts'

type NetworkError = Error & { code?: string; errors?: NetworkError[] }

/** Explains a network error in a sentence, without the addresses that were tried. */
export function egressFailure(
  given: unknown,
  timeoutMs: number,
): { kind: 'refused'; reason: string } | { kind: 'failed'; reason: string } {
  const error = given as NetworkError
  if (error instanceof ConnectionRefused)
    return { kind: 'refused', reason: `The URL cannot be called: ${error.message}.` }
  if (error.name === 'TimeoutError')
    return { kind: 'failed', reason: `There was no whole answer within ${timeoutMs} ms.` }
  if (error.name === 'AbortError') return { kind: 'failed', reason: 'The request was broken off.' }
  // If several addresses were tried, the fault of the first one is reported.
  const code = error.code ?? error.errors?.[0]?.code ?? ''
  if (code === 'UND_ERR_INVALID_ARG')
    return { kind: 'refused', reason: `The request cannot be made: ${error.message}.` }
  return { kind: 'failed', reason: reasons[code] ?? otherReason(error, code) }
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'The host has no address.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ECONNREFUSED: 'The host takes no connection on this port.',
  ECONNRESET: 'The connection was cut.',
  EPIPE: 'The connection was cut.',
  UND_ERR_SOCKET: 'The connection was cut.',
  ETIMEDOUT: 'The host could not be reached in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The host could not be reached in time.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
}

function otherReason(error: NetworkError, code: string): string {
  if (error.name === 'HTTPParserError') return 'The answer is not HTTP.'
  const insecure = insecureReason(error, code)
  return insecure ? `No secure connection could be made: ${insecure}.` : `The call failed${code && `: ${code}`}.`
}

/**
 * Explains a TLS error. Node has a text for a bad certificate, and OpenSSL's error records for faults of the handshake.
 */
function insecureReason({ message }: NetworkError, code: string): string | null {
  if (/^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return message.slice(0, 200)
  if (/^ERR_SSL_.*ALERT/.test(code)) return 'the host broke off the handshake of TLS'
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG)/.test(code)) {
    return 'the host does not speak TLS on this port'
  }
  return /^(ERR_(TLS|SSL|OSSL)|EPROTO$)/.test(code) ? 'the handshake of TLS failed' : null
}
