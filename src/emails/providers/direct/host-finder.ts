import { createLru } from '../../../platform/lru.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { type FindOptions, findHosts, type Hosts } from './find-hosts.ts'

const minuteMs = 60_000
/** Shorter than the lifetime of most records, so that a host that moved is found soon. */
const foundKeptMs = 5 * minuteMs
const refusedKeptMs = minuteMs
/** Shorter than the first delay of 5 s, so that the first repeat asks again. */
const unansweredKeptMs = 4000
/** A failure that came too late for those who asked is kept until they ask again, after 10 s or a little more. */
const lateFailureKeptMs = 30_000
const entriesMax = 10_000
/** The wait for an answer, so that mail for the domains of a silent name server does not occupy all workers. */
const patienceMs = 2000

type HostFinder = {
  /** Null if DNS has not answered in time. Call again later. */
  find(domain: string): Promise<Hosts | null>
}

/** `hosts` is null until DNS has answered. `askedMs` is the start of the query by `performance.now()`. */
type Entry = { asked: Promise<Hosts>; askedMs: number; hosts: Hosts | null; until: number }

/** Caches the mail hosts of domains and runs one query for a domain at a time. */
export function createHostFinder(options: FindOptions & { clock: Clock }): HostFinder {
  const { clock } = options
  const entries = createLru<Entry>({ countMax: entriesMax })

  function ask(domain: string): Entry {
    const asked = findHosts(domain, options)
    const entry: Entry = { asked, askedMs: performance.now(), hosts: null, until: 0 }
    asked.then(
      (hosts) => {
        const isLate = performance.now() - entry.askedMs >= patienceMs
        Object.assign(entry, { hosts, until: clock.now().getTime() + keptMs(hosts, isLate) })
      },
      () => entries.delete(domain),
    )
    entries.set(domain, entry)
    return entry
  }

  return {
    async find(domain) {
      const known = entries.get(domain)
      if (known?.hosts && known.until > clock.now().getTime()) return known.hosts
      const entry = known && !known.hosts ? known : ask(domain)
      return within(entry.asked, patienceMs - (performance.now() - entry.askedMs))
    },
  }
}

async function within(asked: Promise<Hosts>, waitMs: number): Promise<Hosts | null> {
  if (waitMs <= 0) return null
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, waitMs, null)
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

function keptMs(hosts: Hosts, isLate: boolean): number {
  if (hosts.kind === 'found') return foundKeptMs
  if (hosts.permanent) return refusedKeptMs
  return isLate ? lateFailureKeptMs : unansweredKeptMs
}
