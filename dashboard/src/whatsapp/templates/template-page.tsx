import type { ReactNode } from 'react'
import { Status } from '../../status/status.tsx'
import { DeleteShown } from '../../ui/dialog/delete-shown.tsx'
import { Beside } from '../../ui/frame/beside.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { RouteLine, type Station } from '../../ui/frame/route-line.tsx'
import { Go } from '../../ui/go/go.tsx'
import { Review } from './review.tsx'
import type { Template } from './template.ts'

type Props = {
  template: Template
  actions: ReactNode
  /** Stands above what the page shows, such as faults. */
  lead?: ReactNode
  children: ReactNode
}

/** The page of a template: what it says, beside its approval. */
export function TemplatePage({ template, actions, lead, children }: Props) {
  return (
    <Page title={template.name} above={<Go to="/whatsapp/templates">WhatsApp templates</Go>} actions={actions}>
      {lead}
      <Beside
        name="Approval"
        way={<RouteLine name="Approval" stations={approvalStations(template)} />}
        status={
          <>
            <Status of={template.status} />
            <span className="muted">{adviceOf(template)}</span>
          </>
        }
      >
        <Review template={template} />
        <p className="letter">{template.body}</p>
        {children}
      </Beside>
    </Page>
  )
}

export function DeleteTemplate({ template, onDeleted }: { template: Template; onDeleted?: () => void }) {
  return (
    <DeleteShown noun="whatsapp/templates" id={template.id} name={template.name} {...(onDeleted && { onDeleted })}>
      Messages that were sent with it keep their text and its name.
    </DeleteShown>
  )
}

function adviceOf({ status }: Template): string {
  if (status === 'approved') return 'It can be sent. An approved template does not change.'
  if (status === 'submitted') return 'It can be sent once WhatsApp has approved it.'
  if (status === 'rejected') return 'Edit it and submit it again.'
  return status === 'draft' ? 'Submit it for review before sending it.' : 'It cannot be sent.'
}

/** Returns the way of a template: written, submitted, and what the review came to. */
function approvalStations({ status, createdAt, updatedAt, rejectionReason }: Template): Station[] {
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
