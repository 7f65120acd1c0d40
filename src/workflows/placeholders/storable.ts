import { readJson } from '../../platform/http/read-json.ts'

/**
 * Throws `invalid` for what no request could bring: NUL, lone surrogates, `__proto__`, nesting without end. Code can make them, and
 * what is stored or sent knows none.
 */
export function refuseUnstorable(input: object): void {
  // Bounded in bytes by what made it; it need not have come in a request.
  readJson(JSON.stringify(input), Number.POSITIVE_INFINITY)
}
