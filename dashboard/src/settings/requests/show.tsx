import type { QueryClient } from '@tanstack/react-query'
import { oneOf, useOne } from '../../api/use-one.ts'
import { useHasRole } from '../../session/me.ts'
import { usePathPart } from '../../ui/address.ts'
import { Go } from '../../ui/go.tsx'
import { Page } from '../../ui/page.tsx'
import { Fetch } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { number } from '../../ui/words.ts'
import { type LoggedRequest, lookOfAnswer, readerRoles, requestsPath, whoReads } from './request.ts'

export function prefetch(client: QueryClient, { params }: { params: Record<string, string> }) {
  void client.prefetchQuery(oneOf<LoggedRequest>(requestsPath, params.id!))
}

export default function ShowRequest() {
  const mayRead = useHasRole(...readerRoles)
  return (
    <Page title="Request" above={<Go to="/settings/requests">Request log</Go>} isNarrow>
      {mayRead ? <Shown /> : <p className="muted">{whoReads}</p>}
    </Page>
  )
}

function Shown() {
  const query = useOne<LoggedRequest>(requestsPath, usePathPart('id'))
  return <Fetch query={query}>{(request) => <Facts {...request} />}</Fetch>
}

function Facts(request: LoggedRequest) {
  const { requestId, at, method, path, status, durationMs, apiKeyId, userId, address, errorName } = request
  return (
    <dl className="facts">
      <dt>Request</dt>
      <dd className="mono">
        {method} {path}
      </dd>
      <dt>Status</dt>
      <dd>
        <Status of={lookOfAnswer(status)} label={String(status)} />
      </dd>
      {errorName && (
        <>
          <dt>Refusal</dt>
          <dd className="mono">{errorName}</dd>
        </>
      )}
      <dt>Time</dt>
      <dd>
        <Time at={at} isExact />
      </dd>
      <dt>Took</dt>
      <dd>{number(durationMs)} ms</dd>
      <dt>{apiKeyId ? 'API key' : 'Person'}</dt>
      <dd className="mono">
        {apiKeyId ? (
          <Go to="/settings/requests" search={{ apiKeyId }}>
            {apiKeyId}
          </Go>
        ) : (
          userId
        )}
      </dd>
      <dt>Address</dt>
      <dd className="mono">{address}</dd>
      <dt>Request ID</dt>
      <dd className="mono">{requestId}</dd>
    </dl>
  )
}
