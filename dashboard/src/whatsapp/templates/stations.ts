import type { Station } from '../../ui/frame/route-line.tsx'
import type { Template } from './template.ts'

/** Returns the way of a template: written, submitted, and what the review came to. */
export function approvalStations({ status, createdAt, updatedAt, rejectionReason }: Template): Station[] {
  const draft: Station = { id: 'draft', name: 'Draft', at: createdAt, state: 'passed' }
  const submitted: Station = { id: 'submitted', name: 'Submitted', state: 'passed', tone: 'blue' }
  const approved: Station = { id: 'approved', name: 'Approved', state: 'passed', tone: 'green' }
  const fault = (name: string, words: string): Station => {
    return { id: 'fault', name, at: updatedAt, state: 'fault', children: rejectionReason ?? words }
  }
  switch (status) {
    case 'draft':
      return [
        draft,
        { id: 'submitted', name: 'Submitted', state: 'next' },
        { id: 'approved', name: 'Approved', state: 'later' },
      ]
    case 'submitted':
      return [
        draft,
        { ...submitted, at: updatedAt },
        { id: 'approved', name: 'Approved', state: 'next', children: 'WhatsApp reviews the template.' },
      ]
    case 'approved':
      return [draft, submitted, { ...approved, at: updatedAt }]
    case 'rejected':
      return [draft, submitted, fault('Rejected', 'WhatsApp gave no reason.')]
    case 'disabled':
      return [draft, submitted, approved, fault('Disabled', 'WhatsApp gave no reason.')]
  }
}
