import type { Caller } from '../../context.ts'
import { forbidden } from '../errors.ts'

/**
 * Throws `forbidden` for a simulated event of live mode, unless the channel's provider is `capture`: others report what
 * happens.
 */
export function refuseSimulation({ mode }: Pick<Caller, 'mode'>, setting: string, provider: string): void {
  if (mode === 'test' || provider === 'capture') return
  throw forbidden(
    `${setting} is ${provider}, so live events come from it alone. Simulate with a test key, or sign in and add ?mode=test.`,
  )
}
