import { isIP, type LookupFunction } from 'node:net'
import { createFairSlots } from '../limits/fair-slots.ts'
import { createLru } from '../lru.ts'
import { type Answer, askDns, NameError, type Resolved } from './ask-dns.ts'
import { createHostsFile, type HostsFile } from './hosts-file.ts'

export type Names = {
  /**
   * Returns every address of a name. Rejects with `NameError`. With a team's id the question counts against that team's
   * share; names in the operator's settings are asked without one.
   */
  resolve(host: string, teamId?: string): Promise<Resolved[]>
  /** The same for `net.connect` and for agents, without a team. */
  lookup: LookupFunction
}

export type NamesOptions = {
  /** `DNS_SERVERS`, asked in place of the system's. For a name that these do not have the system's are asked too. */
  servers: readonly string[]
  hosts?: HostsFile
  ask?: typeof askDns
  /** The time in milliseconds. It advances even if the app's clock stands still. */
  now?: () => number
}

/** Each running question has a socket, for at most 5 s. After `waitMs` an answer is too late for every caller. */
const questions = { slotsMax: 256, teamSlotsMax: 8, teamWaitingMax: 1000, waitMs: 15_000 }

const keptMax = { countMax: 10_000, bytesMax: 4 * 1024 * 1024 }
/** An answer is kept for the time to live of its records, within these limits. */
const keepMinMs = 1000
const keepMaxMs = 60_000
const noNameKeepMs = 30_000
/** Shorter than the pauses between attempts, so that the next attempt asks a restarted name server again. */
const noAnswerKeepMs = 10_000

type Kept = { until: number } & ({ found: Resolved[] } | { error: NameError })

/**
 * Looks up the names of all hosts that are called. The system's resolver answers few questions at a time, so names with
 * silent servers would hold up all others. Here each team has a share of the questions, concurrent identical questions
 * are asked once, and answers are kept, including failures. The hosts file applies as usual.
 */
export function createNames({
  servers,
  hosts = createHostsFile(),
  ask = askDns,
  now = () => performance.now(),
}: NamesOptions): Names {
  const slots = createFairSlots(questions)
  const kept = createLru<Kept>({ ...keptMax, bytesOf })
  const underWay = new Map<string, Promise<Resolved[]>>()

  function known(host: string): Promise<Resolved[]> | undefined {
    const one = kept.get(host)
    if (!one || one.until <= now()) return underWay.get(host)
    return 'found' in one ? Promise.resolve(one.found) : Promise.reject(one.error)
  }

  function begin(host: string): Promise<Resolved[]> {
    const asked = ask(host, { servers }).then(
      (answer) => {
        kept.set(host, { until: now() + keepMsOf(answer), found: answer.addresses })
        return answer.addresses
      },
      (given: unknown) => {
        const error = given instanceof NameError ? given : new NameError(host, 'EAI_AGAIN')
        kept.set(host, { until: now() + (error.code === 'ENOTFOUND' ? noNameKeepMs : noAnswerKeepMs), error })
        throw error
      },
    )
    const settled = asked.finally(() => underWay.delete(host))
    underWay.set(host, settled)
    return settled
  }

  async function resolve(given: string, teamId?: string): Promise<Resolved[]> {
    const host = given.toLowerCase()
    if (isIP(host)) return [addressOf(host)]
    const listed = await hosts.find(host)
    if (listed.length > 0) return listed.map(addressOf)
    const already = known(host)
    if (already || teamId === undefined) return already ?? begin(host)
    const slot = await slots.enter(teamId)
    if ('refused' in slot) throw new NameError(host, 'EAI_AGAIN')
    try {
      // Another request may have asked meanwhile.
      return await (known(host) ?? begin(host))
    } finally {
      slot.leave()
    }
  }

  return { resolve, lookup: lookupBy(resolve) }
}

/** The lookup that `net.connect` calls, which asks for all addresses and tries one after the other. */
export function lookupBy(resolve: (host: string) => Promise<Resolved[]>): LookupFunction {
  return (host, options, callback) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family
    const of = (all: Resolved[]) => {
      const found = family ? all.filter((one) => one.family === family) : all
      if (found.length === 0) throw new NameError(host, 'ENOTFOUND')
      return found
    }
    resolve(host)
      .then(of)
      .then(
        (found) => {
          if (options.all) callback(null, found)
          else callback(null, found[0]!.address, found[0]!.family)
        },
        (error) => callback(error, []),
      )
  }
}

function addressOf(address: string): Resolved {
  return { address, family: isIP(address) }
}

function keepMsOf({ ttlSeconds }: Answer): number {
  return Math.min(Math.max(ttlSeconds * 1000, keepMinMs), keepMaxMs)
}

function bytesOf(kept: Kept): number {
  return 'found' in kept ? 100 * kept.found.length : 500
}
