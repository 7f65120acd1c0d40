import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../../api/list.ts'
import { messageStations } from '../../sms/stations.ts'
import { Status } from '../../status/status.tsx'
import { Beside } from '../../ui/frame/beside.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { RouteLine, type Station } from '../../ui/frame/route-line.tsx'
import { Fetch, titleWithout } from '../../ui/frame/states.tsx'
import { usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { type MessageWithEvents, messageOf } from '../message.ts'
import { customerOf } from './table.tsx'

export const prefetch: Prefetch = (client, { params }) => client.prefetchQuery(messageOf(params.id!))

export default function ShowMessage() {
  const query = useQuery(messageOf(usePathPart('id')))
  const message = query.data
  return (
    <Page
      title={message ? customerOf(message) : titleWithout(query.error, 'WhatsApp message')}
      isMono={message !== undefined}
      above={
        <Go to="/whatsapp" search={{ tab: 'messages' }}>
          WhatsApp
        </Go>
      }
    >
      <Fetch query={query}>
        {(one) => (
          <Beside
            name="Timeline"
            way={<RouteLine name="Timeline" stations={stationsOf(one)} />}
            status={
              <>
                <Status of={one.status} />
                {one.mode === 'test' && <span className="badge">test</span>}
              </>
            }
          >
            <p className="letter">{one.body}</p>
            <MessageFacts message={one} />
          </Beside>
        )}
      </Fetch>
    </Page>
  )
}

/** The way of a message. The reason of a failure stands at its station. */
function stationsOf(message: MessageWithEvents): Station[] {
  if (message.direction === 'inbound') {
    return [{ id: 'received', name: 'Received', at: message.createdAt, state: 'passed', tone: 'green' }]
  }
  const stations = messageStations(message, message.events)
  if (message.error === null) return stations
  if (!stations.some(({ state }) => state === 'fault')) {
    return [...stations, { id: 'failed', name: 'Failed', state: 'fault', children: message.error }]
  }
  return stations.map((one) => (one.state === 'fault' ? { ...one, children: message.error } : one))
}

function MessageFacts({ message }: { message: MessageWithEvents }) {
  const { direction, templateId, templateName, variables } = message
  return (
    <Facts>
      <Fact name="From">{message.from}</Fact>
      <Fact name="To">{message.to}</Fact>
      {templateName !== null && (
        <Fact name="Template">
          {templateId === null ? templateName : <Go to={`/whatsapp/templates/${templateId}`}>{templateName}</Go>}
        </Fact>
      )}
      {variables !== null && variables.length > 0 && (
        <Fact name="Variables">
          <ol className="variables">
            {variables.map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: variables are known by their place
              <li key={index}>
                <code className="muted">{`{{${index + 1}}}`}</code> {value}
              </li>
            ))}
          </ol>
        </Fact>
      )}
      <Fact name={direction === 'inbound' ? 'Received' : 'Accepted'}>
        <Time at={message.createdAt} isExact />
      </Fact>
      <Fact name="Conversation">
        <Go to={`/whatsapp/conversations/${message.conversationId}`}>Open the conversation</Go>
      </Fact>
      {message.providerMessageId && (
        <Fact name="Provider’s ID">
          <code>{message.providerMessageId}</code>
        </Fact>
      )}
      <IdFact id={message.id} />
    </Facts>
  )
}
