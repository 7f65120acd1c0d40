import { readFileSync } from 'node:fs'
import { invalid } from '../../platform/errors.ts'

/** Lower-case passwords, one a line, of eight or more characters. Shorter ones are refused for their length. */
const common = new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'))

/** Throws `invalid` for a password on the list of common ones. */
export function refuseCommonPassword(password: string): void {
  if (common.has(password.normalize('NFKC').toLowerCase())) {
    throw invalid('password', 'is one of the most common passwords; choose one that is harder to guess')
  }
}
