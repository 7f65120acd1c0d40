import { Resolver } from 'node:dns/promises'
import { refuseInsideTransaction } from '../platform/inside.ts'
import { hasDkimKey, hasHost, hasSpfMechanism } from './compare-records.ts'
import type { DomainRecord } from './records.ts'
import type { Finding, Findings } from './rules.ts'

/** A person waits for it. */
const lookUpTimeoutMs = 5000
const tryTimeoutMs = 1500

/** DNS has answered, and there is no such record. Any other error is no answer. */
const missingCodes = new Set(['ENOTFOUND', 'ENODATA'])

type Options = { servers: readonly string[]; timeoutMs?: number }

/** Asks DNS for every record, side by side, for `timeoutMs` at most; without servers, the system's are asked. */
export async function lookUpRecords(
  records: Pick<DomainRecord, 'key' | 'type' | 'name' | 'value'>[],
  { servers, timeoutMs = lookUpTimeoutMs }: Options,
): Promise<Findings> {
  refuseInsideTransaction('A DNS lookup')
  // A resolver of its own for each check: nothing cached, and cancelling it harms nobody.
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers([...servers])
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const findings = await Promise.all(
    records.map(async (record) => [record.key, await lookUp(resolver, record)] as const),
  )
  clearTimeout(timer)
  return Object.fromEntries(findings)
}

async function lookUp(
  resolver: Resolver,
  record: Pick<DomainRecord, 'key' | 'type' | 'name' | 'value'>,
): Promise<Finding> {
  try {
    return (await isPublished(resolver, record)) ? 'found' : 'missing'
  } catch (error) {
    return missingCodes.has((error as { code?: string }).code ?? '') ? 'missing' : 'unanswered'
  }
}

async function isPublished(
  resolver: Resolver,
  { key, type, name, value }: Pick<DomainRecord, 'key' | 'type' | 'name' | 'value'>,
) {
  if (type === 'mx')
    return hasHost(
      (await resolver.resolveMx(name)).map((mx) => mx.exchange),
      value,
    )
  if (type === 'cname') return hasHost(await resolver.resolveCname(name), value)
  const texts = (await resolver.resolveTxt(name)).map((strings) => strings.join(''))
  return key === 'dkim' ? hasDkimKey(texts, value) : hasSpfMechanism(texts, value)
}
