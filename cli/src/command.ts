import type { Work } from './call.ts'
import { commonFlags, type Flags } from './flags.ts'

/**
 * A command over HTTP. README.md says how one is added. `words` are its arguments as the usage shows them: `[X]` may be
 * left out, `X…` may be many.
 */
export type Command = {
  words?: readonly string[]
  summary: string
  detail?: string
  flags?: Flags
  /** It does not go over HTTP, so it has none of the usual flags but `--json`. */
  isLocal?: true
  /** Loads the work, which is not needed for the help. */
  load(): Promise<Work>
}

/** Returns all flags of a command. */
export function flagsOf({ flags = {}, isLocal }: Command): Flags {
  return { ...flags, ...(isLocal ? { json: commonFlags.json } : commonFlags) }
}
