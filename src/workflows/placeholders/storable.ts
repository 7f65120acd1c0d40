import { readJson } from '../../platform/http/body/read-json.ts'

/**
 * Throws `invalid` for values that no request can contain: NUL, lone surrogates, `__proto__`, very deep nesting. Code
 * can make them, and they cannot be stored or sent.
 */
export function refuseUnstorable(input: object): void {
  // Its size is limited where it is made, not by the size of a request.
  readJson(JSON.stringify(input), Number.POSITIVE_INFINITY)
}
