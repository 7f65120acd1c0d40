import { useEffect } from 'react'
import { changed } from '../../api/client.ts'
import { hrefOf } from '../../api/request.ts'
import { Status } from '../../status/status.tsx'
import { DownloadLink } from '../../ui/button/download.tsx'
import { Fetch } from '../../ui/frame/states.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { number, sentence } from '../../ui/text/words.ts'
import { looks, type PrivacyRequest, usePrivacyRequest } from './request.ts'

const fileHours = 24

/** How far a request is, what it found or removed, and the file of an export. */
export function Progress({ id }: { id: string }) {
  const query = usePrivacyRequest(id)
  return (
    <section className="section settings-part" aria-labelledby="request-head" aria-live="polite">
      <h2 id="request-head">Request</h2>
      <Fetch query={query} lines={4}>
        {(request) => (
          <>
            <RequestFacts {...request} />
            <Counts {...request} />
            {request.type === 'export' && request.status === 'done' && <ExportFile {...request} />}
          </>
        )}
      </Fetch>
    </section>
  )
}

function RequestFacts({ id, type, status, createdAt, finishedAt }: PrivacyRequest) {
  // The server gives no hint when a request ends by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new status reads the list again; the effect does not use its value
  useEffect(() => changed('privacy/requests'), [status])
  return (
    <Facts>
      <Fact name="What to do">{sentence(type)}</Fact>
      <Fact name="Status">
        <Status of={looks[status]} label={sentence(status)} />
      </Fact>
      <Fact name="Begun">
        <Time at={createdAt} isExact />
      </Fact>
      {finishedAt && (
        <Fact name="Ended">
          <Time at={finishedAt} isExact />
        </Fact>
      )}
      <IdFact id={id} />
    </Facts>
  )
}

function Counts({ counts }: PrivacyRequest) {
  const rows = Object.entries(counts).filter(([, count]) => Object.values(count).some((many) => many > 0))
  if (rows.length === 0) return null
  return (
    <Facts name="Counts">
      {rows.map(([kind, { found, removed, left }]) => (
        <Fact key={kind} name={wordsOf(kind)}>
          {[
            found !== undefined && `${number(found)} found`,
            removed !== undefined && `${number(removed)} removed`,
            left !== undefined && `${number(left)} left`,
          ]
            .filter(Boolean)
            .join(', ')}
        </Fact>
      ))}
    </Facts>
  )
}

/** `inboxSms` is *Inbox SMS*. */
function wordsOf(kind: string): string {
  const words = sentence(kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
  return words.replace(/\bsms\b/i, 'SMS').replace(/\bwhatsapp\b/i, 'WhatsApp')
}

function ExportFile({ id, finishedAt }: PrivacyRequest) {
  const isOver = finishedAt !== null && Date.now() - new Date(finishedAt).getTime() > fileHours * 3_600_000
  if (isOver) return <p className="muted">The file was kept for 24 hours. Ask for the export again.</p>
  return (
    <div className="actions">
      <DownloadLink href={hrefOf('/v1/privacy/requests/:id/file', { id })}>Download file</DownloadLink>
      <span className="muted">Kept for 24 hours.</span>
    </div>
  )
}
