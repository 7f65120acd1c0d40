import { Resolver } from 'node:dns/promises'

/** One address of one of a domain's mail hosts. */
export type Candidate = { name: string; address: string }

/** `groups` are in the order of preference. Each has a list of addresses for each of its hosts. */
export type Hosts =
  | { kind: 'found'; groups: Candidate[][][] }
  | { kind: 'none'; permanent: boolean; blamed: boolean; status: string; reason: string }

export type FindOptions = {
  /** The DNS servers; the system's if the list is empty. */
  servers: readonly string[]
  mayReach(address: string): boolean
}

/** For all queries of one lookup together. */
const lookUpTimeoutMs = 10_000
const tryTimeoutMs = 2500
/** RFC 5321 (5.1) asks clients to try more than one host. The bound holds for a domain that names hundreds. */
const hostsMax = 5

/**
 * Looks up the hosts that take the mail of a domain (RFC 5321 5.1): its MX hosts, or the domain itself if it names
 * none.
 */
export async function findHosts(domain: string, { servers, mayReach }: FindOptions): Promise<Hosts> {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers([...servers])
  const timer = setTimeout(() => resolver.cancel(), lookUpTimeoutMs).unref()
  try {
    const exchanges = await askExchanges(resolver, domain)
    if (!Array.isArray(exchanges)) return exchanges
    return await hostsOf(resolver, domain, exchanges, mayReach)
  } finally {
    clearTimeout(timer)
  }
}

type Exchange = { exchange: string; priority: number }

async function askExchanges(resolver: Resolver, domain: string): Promise<Exchange[] | Hosts> {
  try {
    const found = await resolver.resolveMx(domain)
    const named = found.filter(({ exchange }) => exchange !== '' && exchange !== '.')
    // A single record without a name says that the domain takes no mail (RFC 7505).
    if (named.length === 0) return none(`The domain ${domain} takes no mail, says its MX record.`, '5.1.10', true)
    return named.sort((left, right) => left.priority - right.priority).slice(0, hostsMax)
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string }
    if (code === 'ENOTFOUND') return none(`There is no domain ${domain}.`, '5.1.2', true)
    if (code === 'ENODATA') return [{ exchange: domain, priority: 0 }]
    return none(`DNS did not say where mail for ${domain} goes (${code}).`, '4.4.3')
  }
}

async function hostsOf(
  resolver: Resolver,
  domain: string,
  exchanges: Exchange[],
  mayReach: FindOptions['mayReach'],
): Promise<Hosts> {
  const found = await Promise.all(
    exchanges.map(async ({ exchange, priority }) => {
      const name = exchange.toLowerCase().replace(/\.$/, '')
      return { name, priority, ...(await lookUpAddresses(resolver, name)) }
    }),
  )
  const hosts = found.map((host) => ({ ...host, reachable: host.addresses.filter(mayReach) }))
  const priorities = [...new Set(hosts.map(({ priority }) => priority))]
  const groups = priorities.map((priority) =>
    hosts
      .filter((host) => host.priority === priority && host.reachable.length > 0)
      .map(({ name, reachable }) => reachable.map((address) => ({ name, address }))),
  )
  if (groups.some((group) => group.length > 0)) return { kind: 'found', groups: groups.filter((group) => group.length) }
  if (found.some((host) => host.unanswered)) return none(`DNS gave no address of the mail hosts of ${domain}.`, '4.4.3')
  // The address is left out, because it would reveal the internal network.
  if (found.some((host) => host.addresses.length > 0))
    return none(`The mail hosts of ${domain} have no public address.`, '5.4.4')
  if (exchanges[0]?.exchange === domain) return none(`The domain ${domain} has no mail host.`, '5.1.2', true)
  return none(`None of the mail hosts of ${domain} has an address.`, '4.4.4')
}

function none(reason: string, status: string, blamed = false): Hosts {
  return { kind: 'none', permanent: status.startsWith('5'), blamed, status, reason }
}

/** More addresses would only mean more time-outs in a row. */
const v4Max = 2
const v6Max = 1

/** DNS has answered that there is no such record. Any other error means that it has not answered. */
const missingCodes = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Looks up the addresses of a host. IPv4 comes first, because not every installation has IPv6 and receivers demand more
 * from senders that use it. `unanswered` says that a query failed, so there may be other addresses.
 */
async function lookUpAddresses(
  resolver: Resolver,
  name: string,
): Promise<{ addresses: string[]; unanswered: boolean }> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const [v4, v6] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const addresses = [...v4!.slice(0, v4Max), ...v6!.slice(0, v6Max)]
  const unanswered = answers.some((answer) => answer.status === 'rejected' && !missingCodes.has(answer.reason.code))
  return { addresses, unanswered }
}
