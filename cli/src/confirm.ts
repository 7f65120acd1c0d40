import type { Call } from './call.ts'
import { Failure, usageFailure } from './failure.ts'
import type { Flags } from './flags.ts'
import { visible } from './output/visible.ts'

export const yesFlag = { yes: { kind: 'boolean', about: 'Does not ask.' } } as const satisfies Flags

/** Asks a person before a command goes on. Without a terminal it takes `--yes`. */
export async function confirm({ values, io }: Call, question: string): Promise<void> {
  if (values.yes === true) return
  if (!io.canAsk) throw usageFailure(`This asks first, and there is no terminal to ask on. Add --yes: ${question}`)
  const answer = await io.ask(`${visible(question)} [y/N] `)
  if (!/^y(es)?$/i.test(answer)) throw new Failure(1, 'not_confirmed', 'Nothing was done.')
}
