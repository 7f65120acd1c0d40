import { useId, useState } from 'react'
import { pages } from '../../pages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Go } from '../../ui/go.tsx'
import { Time } from '../../ui/time.tsx'
import { sentence } from '../../ui/words.ts'
import { type AuditEntry, targetOf, textOf, wordsOf } from './entry.ts'

/** The button *Details of <change>* and its dialog: the values of before and after. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false)
  const name = `Details of ${wordsOf(entry.action)}`
  return (
    <>
      <Button kind="quiet" aria-haspopup="dialog" aria-label={name} onClick={() => setOpen(true)}>
        Details
      </Button>
      {isOpen && (
        <Dialog title={name} onClose={() => setOpen(false)} isWide>
          <Facts entry={entry} />
          <Changes changes={entry.changes} />
        </Dialog>
      )}
    </>
  )
}

function Facts({ entry }: { entry: AuditEntry }) {
  const { actor, target, action, at, address, requestId } = entry
  const isLinked = requestId !== null && pages.some(({ path }) => path === '/settings/requests/:id')
  return (
    <dl className="facts">
      <dt>Time</dt>
      <dd>
        <Time at={at} isExact />
      </dd>
      <dt>Action</dt>
      <dd className="mono">{action}</dd>
      <dt>By</dt>
      <dd>
        {actor.name} <span className="muted">({sentence(actor.type).toLowerCase()})</span>
      </dd>
      <dt>Target</dt>
      <dd>
        {targetOf(entry)} <span className="muted">({sentence(target.type).toLowerCase()})</span>
      </dd>
      <dt>ID</dt>
      <dd className="mono">{target.id}</dd>
      <dt>Address</dt>
      <dd className="mono">{address ?? '–'}</dd>
      <dt>Request</dt>
      <dd className="mono">
        {isLinked ? <Go to={`/settings/requests/${requestId}`}>{requestId}</Go> : (requestId ?? '–')}
      </dd>
    </dl>
  )
}

function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  const id = useId()
  const rows = Object.entries(changes)
  if (rows.length === 0) return null
  return (
    <section className="section" aria-labelledby={id}>
      <h3 id={id}>Changes</h3>
      <dl className="facts">
        {rows.map(([name, { from, to }]) => (
          <div key={name} className="facts-pair">
            <dt>{name}</dt>
            <dd>
              <span className="muted">{textOf(from)}</span> <span aria-hidden="true">→</span>
              <span className="unseen">becomes</span> {textOf(to)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
