import type { Config } from '../../config.ts'
import { mailHostOf } from '../../domains/records.ts'
import type { Clock } from '../../platform/clock.ts'
import { allowList, mayReach } from '../../platform/egress/public-address.ts'
import { refuseInsideTransaction } from '../../platform/inside.ts'
import type { SplittingProvider } from '../provider.ts'
import { chooseServer } from './direct/choose-server.ts'
import { createHostFinder } from './direct/host-finder.ts'
import { orderCandidates } from './direct/order-candidates.ts'
import { createServers } from './direct/servers.ts'
import { tryServers } from './direct/try-servers.ts'

/** By then DNS has answered, or will not. */
const lookUpWaitMs = 10_000

/** `EMAIL_PROVIDER=direct`: delivers to the recipients' own mail hosts. */
export function directProvider({ config, clock }: { config: Config; clock: Clock }): SplittingProvider {
  const allow = allowList(config.outboundAllow)
  const hosts = createHostFinder({
    clock,
    servers: config.dnsServers,
    mayReach: (address) => mayReach(address, allow),
  })
  const servers = createServers({ clock, port: config.directSmtpPort, localName: localNameOf(config) })
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

/** RFC 5321 4.1.3: a host without a name says its address in brackets. */
function localNameOf(config: Config): string {
  const host = mailHostOf(config)
  if (host.includes(':')) return `[IPv6:${host}]`
  return /^[\d.]+$/.test(host) ? `[${host}]` : host
}
