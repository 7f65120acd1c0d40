import { DownloadLink } from '../../ui/download.tsx'
import { Fetch } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { number, sentence } from '../../ui/words.ts'
import { type PrivacyRequest, privacyPath, usePrivacyRequest } from './request.ts'

const fileHours = 24
const looks = { running: 'running', done: 'completed', failed: 'failed' } as const

/** How far a request is, what it found or removed, and the file of an export. */
export function Progress({ id }: { id: string }) {
  const query = usePrivacyRequest(id)
  return (
    <section className="section settings-part" aria-labelledby="request-head" aria-live="polite">
      <h2 id="request-head">Request</h2>
      <Fetch query={query} lines={4}>
        {(request) => (
          <>
            <Facts {...request} />
            <Counts {...request} />
            {request.type === 'export' && request.status === 'done' && <ExportFile {...request} />}
          </>
        )}
      </Fetch>
    </section>
  )
}

function Facts({ id, type, status, createdAt, finishedAt }: PrivacyRequest) {
  return (
    <dl className="facts">
      <dt>What to do</dt>
      <dd>{sentence(type)}</dd>
      <dt>Status</dt>
      <dd>
        <Status of={looks[status]} label={sentence(status)} />
      </dd>
      <dt>Begun</dt>
      <dd>
        <Time at={createdAt} isExact />
      </dd>
      {finishedAt && (
        <>
          <dt>Ended</dt>
          <dd>
            <Time at={finishedAt} isExact />
          </dd>
        </>
      )}
      <dt>ID</dt>
      <dd className="mono">{id}</dd>
    </dl>
  )
}

function Counts({ counts }: PrivacyRequest) {
  const rows = Object.entries(counts).filter(([, count]) => Object.values(count).some((many) => many > 0))
  if (rows.length === 0) return null
  return (
    <dl className="facts" aria-label="Counts">
      {rows.map(([kind, { found, removed, left }]) => (
        <div key={kind} className="facts-pair">
          <dt>{wordsOf(kind)}</dt>
          <dd>
            {[
              found !== undefined && `${number(found)} found`,
              removed !== undefined && `${number(removed)} removed`,
              left !== undefined && `${number(left)} left`,
            ]
              .filter(Boolean)
              .join(', ')}
          </dd>
        </div>
      ))}
    </dl>
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
      <DownloadLink href={`${privacyPath}/${id}/file`}>Download file</DownloadLink>
      <span className="muted">Kept for 24 hours.</span>
    </div>
  )
}
