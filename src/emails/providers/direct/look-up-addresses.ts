import type { Resolver } from 'node:dns/promises'

/** More addresses would only mean more time-outs in a row. */
const v4Max = 2
const v6Max = 1

/** DNS has answered that there is no such record. Any other error means that it has not answered. */
const missingCodes = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Looks up the addresses of a host. IPv4 comes first, because not every installation has IPv6 and receivers demand more
 * from senders that use it. `unanswered` says that a query failed, so there may be other addresses.
 */
export async function lookUpAddresses(
  resolver: Resolver,
  name: string,
): Promise<{ addresses: string[]; unanswered: boolean }> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const [v4, v6] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const addresses = [...v4!.slice(0, v4Max), ...v6!.slice(0, v6Max)]
  const unanswered = answers.some((answer) => answer.status === 'rejected' && !missingCodes.has(answer.reason.code))
  return { addresses, unanswered }
}
