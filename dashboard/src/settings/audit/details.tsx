import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { Go } from '../../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { isLogged } from '../requests/log.ts'
import { type AuditEntry, targetOf, textOf, wordsOf } from './entry.ts'

/** The button *Details of <change>* and its dialog: the values of before and after. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  return (
    <DialogButton name={`Details of ${wordsOf(entry.action)}`} short="Details" kind="quiet" isWide>
      {() => (
        <>
          <EntryFacts entry={entry} />
          <Changes changes={entry.changes} />
        </>
      )}
    </DialogButton>
  )
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { actor, target, action, at, address, requestId } = entry
  return (
    <Facts>
      <Fact name="Time">
        <Time at={at} isExact />
      </Fact>
      <Fact name="Action" isMono>
        {action}
      </Fact>
      <Fact name="By">
        {actor.name} <span className="muted">({sentence(actor.type).toLowerCase()})</span>
      </Fact>
      <Fact name="Target">
        {targetOf(entry)} <span className="muted">({sentence(target.type).toLowerCase()})</span>
      </Fact>
      <IdFact id={target.id} />
      <Fact name="Address" isMono>
        {address ?? '–'}
      </Fact>
      <Fact name="Request" isMono>
        {requestId !== null && isLogged(at, new Date()) ? (
          <Go to={`/settings/requests/${requestId}`}>{requestId}</Go>
        ) : (
          (requestId ?? '–')
        )}
      </Fact>
    </Facts>
  )
}

function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  const rows = Object.entries(changes)
  if (rows.length === 0) return null
  return (
    <Section title="Changes" level={3}>
      <Facts>
        {rows.map(([name, { from, to }]) => (
          <Fact key={name} name={name}>
            <Change from={textOf(from)} to={textOf(to)} />
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

/** Both values are the same text where the audit log hides what they are. */
function Change({ from, to }: { from: string; to: string }) {
  if (from === to) return 'changed'
  return (
    <>
      <span className="muted">{from}</span> <span aria-hidden="true">→</span>
      <span className="unseen">becomes</span> {to}
    </>
  )
}
