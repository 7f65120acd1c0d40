import type { Static } from 'typebox'
import type { DomainList, Domain as DomainSchema } from '../../../src/domains/schema.ts'
import type { Json } from '../api/json.ts'

export type Domain = Json<Static<typeof DomainSchema>>
export type DomainItem = Json<Static<typeof DomainList>>['data'][number]
export type DomainRecord = Domain['records'][number]

export const domainsPath = '/v1/domains'

/** The word for a domain's status. */
export function statusWord(status: string): string | undefined {
  return status === 'temporary_failure' ? 'DNS did not answer' : undefined
}

/** Says what DNS was found to hold for a record. */
export function findingOf({ status, note }: DomainRecord, domain: Domain): string {
  if (note !== undefined) return 'Not looked up'
  if (status === 'verified') return 'Found in DNS'
  if (status === 'failed') return 'Missing from DNS for 72 hours'
  if (domain.status === 'not_started') return 'Not looked up yet'
  return domain.status === 'temporary_failure' ? 'DNS did not answer' : 'Not found in DNS yet'
}

/** Tells whether background checks will look again. */
export function isWaiting({ status }: Pick<Domain, 'status'>): boolean {
  return status === 'pending' || status === 'temporary_failure'
}
