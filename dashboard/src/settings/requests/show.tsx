import type { Prefetch } from '../../api/list.ts'
import { oneOf, useOne } from '../../api/use-one.ts'
import { useMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Fetch } from '../../ui/frame/states.tsx'
import { usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fact, Facts } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { number } from '../../ui/text/words.ts'
import { type LoggedRequest, lookOfAnswer, whoReads } from './request.ts'

export const prefetch: Prefetch = (client, { params }) =>
  client.prefetchQuery(oneOf('/v1/requests/:requestId', { requestId: params.id! }))

export default function ShowRequest() {
  const mayRead = useMay('GET /v1/requests/:requestId')
  return (
    <Page title="Request" above={<Go to="/settings/requests">Request log</Go>} isNarrow>
      {mayRead ? <Shown /> : <p className="muted">{whoReads}</p>}
    </Page>
  )
}

function Shown() {
  const query = useOne('/v1/requests/:requestId', { requestId: usePathPart('id') })
  return <Fetch query={query}>{(request) => <RequestFacts {...request} />}</Fetch>
}

function RequestFacts(request: LoggedRequest) {
  const { requestId, at, method, path, status, durationMs, apiKeyId, userId, address, errorName } = request
  return (
    <Facts>
      <Fact name="Request" isMono>
        {method} {path}
      </Fact>
      <Fact name="Status">
        <Status of={lookOfAnswer(status)} label={String(status)} />
      </Fact>
      {errorName && (
        <Fact name="Refusal" isMono>
          {errorName}
        </Fact>
      )}
      <Fact name="Time">
        <Time at={at} isExact />
      </Fact>
      <Fact name="Took">{number(durationMs)} ms</Fact>
      <Fact name={apiKeyId ? 'API key' : 'Person'} isMono>
        {apiKeyId ? (
          <Go to="/settings/requests" search={{ apiKeyId }}>
            {apiKeyId}
          </Go>
        ) : (
          userId
        )}
      </Fact>
      <Fact name="Address" isMono>
        {address}
      </Fact>
      <Fact name="Request ID" isMono>
        {requestId}
      </Fact>
    </Facts>
  )
}
