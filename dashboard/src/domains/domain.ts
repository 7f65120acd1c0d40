import type { Answer, RowOf } from '../api/request.ts'

export type Domain = Answer<'/v1/domains/:id'>
export type DomainItem = RowOf<'/v1/domains'>
export type DomainRecord = Domain['records'][number]

export function statusWord(status: string): string | undefined {
  return status === 'temporary_failure' ? 'DNS did not answer' : undefined
}

/** Says what DNS was found to hold for a record. */
export function findingOf({ status, note }: DomainRecord, domain: Domain): string {
  if (note !== undefined) return 'Not looked up'
  if (status === 'verified') return 'Found in DNS'
  if (status === 'failed') return 'Missing from DNS, or with another value'
  if (domain.status === 'not_started') return 'Not looked up yet'
  return domain.status === 'temporary_failure' ? 'DNS did not answer' : 'Not found in DNS yet, or with another value'
}

/** Counts the records that are looked up, and those of them that were found. */
export function countRecords(records: DomainRecord[]): { found: number; lookedUp: number } {
  const lookedUp = records.filter(({ note }) => note === undefined)
  return { found: lookedUp.filter(({ status }) => status === 'verified').length, lookedUp: lookedUp.length }
}

/** Tells whether background checks will look again. */
export function isWaiting({ status }: Pick<Domain, 'status'>): boolean {
  return status === 'pending' || status === 'temporary_failure'
}
