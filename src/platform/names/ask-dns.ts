import { Resolver } from 'node:dns/promises'
import { readSearch } from './search.ts'

export type Resolved = { address: string; family: number }

/** `ttlSeconds` is the shortest of its records. */
export type Answer = { addresses: Resolved[]; ttlSeconds: number }

/** Uses the codes of the system's resolver: `ENOTFOUND` if the name does not exist, `EAI_AGAIN` without an answer. */
export class NameError extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'
  readonly syscall = 'getaddrinfo'
  constructor(host: string, code: NameError['code']) {
    super(`getaddrinfo ${code} ${host}`)
    this.code = code
  }
}

const usualTryTimeoutMs = 2000
const tries = 2
/** The time for all questions about one name. */
const totalMs = 5000
/** The wait for the other family once one has answered: some servers never answer for IPv6. */
const otherFamilyMs = 1000
/** The most addresses of a name; others are ignored. */
const addressesMax = 32

/** Codes of an answer that the record does not exist. With other errors there was no answer. */
const missingCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

type AskOptions = { servers: readonly string[]; tryTimeoutMs?: number }

type Asked = { addresses: Resolved[]; ttlSeconds: number; isMissing: boolean }

/**
 * Asks name servers for the IPv4 and IPv6 addresses of a name, for 5 s at most. Rejects with `NameError`. The system's
 * servers are asked for names that `servers` do not have.
 */
export async function askDns(host: string, options: AskOptions): Promise<Answer> {
  const answer = options.servers.length > 0 ? await askServers(host, [host], options) : null
  if (answer && !answer.isMissing) return answer
  const found = await askServers(host, await candidatesOf(host), { ...options, servers: [] })
  if (found.isMissing) throw new NameError(host, 'ENOTFOUND')
  return found
}

/** Asks for one name after the other until one exists, in the order of the search list of `resolv.conf` (5). */
async function candidatesOf(host: string): Promise<string[]> {
  if (host.endsWith('.')) return [host]
  const longer = (await readSearch()).map((domain) => `${host}.${domain}`)
  return host.includes('.') ? [host, ...longer] : [...longer, host]
}

async function askServers(host: string, names: string[], options: AskOptions): Promise<Asked> {
  const { servers, tryTimeoutMs = usualTryTimeoutMs } = options
  // Each question has its own resolver, which reads the system's settings again and can be cancelled separately.
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries, maxTimeout: tryTimeoutMs })
  if (servers.length > 0) resolver.setServers([...servers])
  const timer = setTimeout(() => resolver.cancel(), totalMs).unref()
  try {
    for (const name of names) {
      const asked = await askBoth(resolver, name)
      if (asked.addresses.length > 0) return asked
      if (!asked.isMissing) throw new NameError(host, 'EAI_AGAIN')
    }
    return { addresses: [], ttlSeconds: 0, isMissing: true }
  } finally {
    clearTimeout(timer)
  }
}

/** IPv4 first, since not every installation has IPv6. */
async function askBoth(resolver: Resolver, name: string): Promise<Asked> {
  let hurry: NodeJS.Timeout | undefined
  const noteAnswer = <T>(records: T[]): T[] => {
    if (records.length > 0) hurry ??= setTimeout(() => resolver.cancel(), otherFamilyMs).unref()
    return records
  }
  const answers = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }).then(noteAnswer),
    resolver.resolve6(name, { ttl: true }).then(noteAnswer),
  ])
  clearTimeout(hurry)
  const records = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((record) => ({ ...record, family: index === 0 ? 4 : 6 })) : [],
  )
  return {
    addresses: records.slice(0, addressesMax).map(({ address, family }) => ({ address, family })),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    isMissing:
      records.length === 0 &&
      answers.every((answer) => answer.status === 'fulfilled' || missingCodes.has(answer.reason.code)),
  }
}
