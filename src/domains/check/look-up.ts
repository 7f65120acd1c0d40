import { Resolver } from 'node:dns/promises'
import { refuseInsideTransaction } from '../../platform/transaction/inside.ts'
import type { DomainRecord } from '../records.ts'
import type { Finding, Findings } from '../rules.ts'
import { dkimKeyIn, hasDkimKey, hasHost, hasSpfMechanisms } from './compare-records.ts'

/** Short, because a person waits for the answer. */
const lookUpTimeoutMs = 5000
const tryTimeoutMs = 1500

/** Errors that say that the record does not exist. All other errors count as no answer. */
const missingCodes = new Set(['ENOTFOUND', 'ENODATA'])

/** The most keys read for a name. Several teams can publish their keys under one name. */
const keysMax = 20

type Options = { servers: readonly string[]; timeoutMs?: number }

/** Looks up all records in parallel, for at most `timeoutMs`. Without `servers` it asks the system's. */
export async function lookUpRecords(
  records: Pick<DomainRecord, 'key' | 'type' | 'name' | 'value'>[],
  options: Options,
): Promise<Findings> {
  const findings = await withResolver(options, (resolver) =>
    Promise.all(records.map(async (record) => [record.key, await lookUp(resolver, record)] as const)),
  )
  return Object.fromEntries(findings)
}

/** The DKIM keys published under the names. Names without an answer are left out. */
export async function lookUpDkimKeys(names: string[], options: Options): Promise<string[]> {
  const answers = await withResolver(options, (resolver) =>
    Promise.allSettled(names.map((name) => resolver.resolveTxt(name))),
  )
  const texts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return texts.flatMap((strings) => dkimKeyIn(strings.join('')) ?? []).slice(0, keysMax)
}

/** Each check has its own resolver, so that nothing is cached and cancelling it affects no other check. */
async function withResolver<T>(
  { servers, timeoutMs = lookUpTimeoutMs }: Options,
  ask: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  refuseInsideTransaction('A DNS lookup')
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers([...servers])
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  return ask(resolver).finally(() => clearTimeout(timer))
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
  if (type === 'mx') {
    const exchanges = (await resolver.resolveMx(name)).map((mx) => mx.exchange)
    return hasHost(exchanges, value)
  }
  if (type === 'cname') return hasHost(await resolver.resolveCname(name), value)
  const texts = (await resolver.resolveTxt(name)).map((strings) => strings.join(''))
  return key === 'dkim' || key === 'nextDkim' ? hasDkimKey(texts, value) : hasSpfMechanisms(texts, value)
}
