import type { Station } from '../../ui/frame/route-line.tsx'
import type { AnySender } from './sender.ts'

/** Returns the way of a sender of either channel: added, what its verification came to, and what is still ahead. */
export function senderStations({ status, createdAt, updatedAt, rejectionReason }: AnySender): Station[] {
  const added: Station = { id: 'added', name: 'Added', at: createdAt, state: 'passed' }
  const later: Station = { id: 'active', name: 'Active', state: 'later' }
  const fault = (name: string, words: string): Station => {
    return { id: 'fault', name, at: updatedAt, state: 'fault', children: rejectionReason ?? words }
  }
  switch (status) {
    case 'not_started':
      return [added, { id: 'verification', name: 'Verification', state: 'next', children: 'Not begun yet.' }, later]
    case 'pending':
      return [added, { id: 'verification', name: 'Verification', state: 'next', children: 'With the provider.' }, later]
    case 'active':
      return [
        added,
        { id: 'verification', name: 'Verified', state: 'passed' },
        { ...later, at: updatedAt, state: 'passed', tone: 'green' },
      ]
    case 'failed':
      return [added, fault('Failed', 'The provider did not accept the sender.'), later]
    case 'rejected':
      return [added, fault('Rejected', 'The carrier did not allow the sender.'), later]
    case 'suspended':
      return [added, fault('Suspended', 'The operator of this installation suspended the sender. Ask them why.')]
  }
}

/** Says what an active sender may do, or what it takes to become active. */
export const senderAdvice: Record<AnySender['status'], string> = {
  not_started: 'Verify the sender before sending from it.',
  pending: 'The provider has not answered yet.',
  active: 'Messages can be sent from this sender.',
  failed: 'Mend what the reason names, and verify the sender again.',
  rejected: 'Mend what the reason names, and verify the sender again.',
  suspended: 'Nothing is sent from it. Ask whoever runs this installation to resolve it.',
}
