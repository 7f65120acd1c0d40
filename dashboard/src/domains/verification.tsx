import { RouteLine, type Station } from '../ui/frame/route-line.tsx'
import { countOf } from '../ui/text/words.ts'
import { countRecords, type Domain } from './domain.ts'

/** The way of a domain from its addition to sending. */
export function Verification({ domain }: { domain: Domain }) {
  return <RouteLine name="Verification" stations={[added(domain), records(domain), verified(domain)]} />
}

function added({ createdAt }: Domain): Station {
  return { id: 'added', name: 'Added', at: createdAt, state: 'passed' }
}

function records({ status, records }: Domain): Station {
  const { found, lookedUp } = countRecords(records)
  const name = `${found} of ${countOf(lookedUp, 'record')} found`
  if (status === 'verified') return { id: 'records', name, state: 'passed' }
  if (status === 'failed') {
    return {
      id: 'records',
      name,
      state: 'fault',
      tone: 'red',
      children: 'Publish the missing records, then verify again.',
    }
  }
  const notes: Record<string, string> = {
    not_started: 'Publish the records below, then verify.',
    temporary_failure: 'DNS did not answer. Posthorn asks again.',
  }
  const note = notes[status] ?? 'New records may take some hours to be seen everywhere.'
  return { id: 'records', name, state: 'next', children: note }
}

function verified({ status }: Domain): Station {
  const isVerified = status === 'verified'
  return {
    id: 'verified',
    name: isVerified ? 'Verified' : 'Not verified',
    state: isVerified ? 'passed' : 'later',
    ...(isVerified && { tone: 'green' }),
    children: isVerified ? 'Email can be sent from its addresses.' : 'No email can be sent from its addresses yet.',
  }
}
