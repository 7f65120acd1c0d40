import type { Config } from '../../context.ts'
import { allowList, mayReach } from '../../platform/egress/public-address.ts'
import * as kind from '../../platform/environment/parsers.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { refuseInsideTransaction } from '../../platform/transaction/inside.ts'
import { defineEmailProvider, type SplittingProvider } from '../provider.ts'
import { chooseServer } from './direct/choose-server.ts'
import type { Candidate } from './direct/find-hosts.ts'
import { createHostFinder } from './direct/host-finder.ts'
import { createServers } from './direct/servers.ts'
import { tryServers } from './direct/try-servers.ts'
import { localNameOf } from './local-name.ts'

export const direct = defineEmailProvider({
  name: 'direct',
  about: "Delivers to the recipients' own mail servers.",
  settings: {
    port: {
      variable: 'DIRECT_SMTP_PORT',
      kind: kind.port,
      default: '25',
      about: 'Port of the receiving servers; another one is only for trials.',
    },
  },
  routes: [],
  create: ({ port }, { config, clock }) => directProvider({ config, clock, port }),
})

type DirectOptions = { config: Config; clock: Clock; port: number }

/** The wait before a DNS lookup is tried again. By then it has been answered or has timed out. */
const lookUpWaitMs = 10_000

/** Delivers to the mail servers of the recipients' domains. */
function directProvider({ config, clock, port }: DirectOptions): SplittingProvider {
  const allow = allowList(config.outboundAllow)
  const hosts = createHostFinder({
    clock,
    servers: config.dnsServers,
    mayReach: (address) => mayReach(address, allow),
  })
  const servers = createServers({ clock, port, localName: localNameOf(config) })
  let turn = 0
  return {
    name: 'direct',
    signs: false,
    usesReturnAddress: true,
    async findRoute(domain) {
      refuseInsideTransaction('A delivery')
      const found = await hosts.find(domain)
      if (!found) return { kind: 'wait', until: new Date(clock.now().getTime() + lookUpWaitMs), because: null }
      if (found.kind === 'none') {
        const { permanent, blamed, status, reason } = found
        return { kind: 'closed', permanent, blamed, diagnosis: { status, diagnosticCode: reason } }
      }
      const choice = chooseServer(orderCandidates(found.groups, turn++), servers.at)
      if (choice.kind === 'wait') return { kind: 'wait', until: new Date(choice.until), because: choice.because }
      return { kind: 'open', ...tryServers(choice, servers.at) }
    },
    close: () => servers.close(),
  }
}

/**
 * Orders the candidates of each preference for this turn. Hosts of equal preference take turns to be first, which
 * spreads the load over them as RFC 5321 (5.1) requires.
 */
function orderCandidates(groups: readonly Candidate[][][], turn: number): Candidate[][] {
  return groups.map((hosts) => {
    const first = turn % hosts.length
    return [...hosts.slice(first), ...hosts.slice(0, first)].flat()
  })
}
