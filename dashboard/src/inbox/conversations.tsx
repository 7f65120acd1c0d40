import { useQuery } from '@tanstack/react-query'
import { allMax, isCut } from '../api/all.ts'
import { Empty, Fetch } from '../ui/frame/states.tsx'
import { useAddress, useMode } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Time } from '../ui/text/time.tsx'
import { number } from '../ui/text/words.ts'
import { Conversation } from './conversation.tsx'
import { type Channel, threadsOf } from './message.ts'

const names: Record<Channel, string> = { sms: 'SMS', whatsapp: 'WhatsApp messages' }

/** Captured messages by phone number, beside the conversation that is read. */
export default function Conversations({ channel }: { channel: Channel }) {
  const [{ number: current }] = useAddress()
  const mode = useMode()
  const threads = useQuery(threadsOf(channel, mode))
  return (
    <div className="inbox-panes">
      <div className="inbox-list scroller">
        <Fetch query={threads}>
          {(data) =>
            data.length === 0 ? (
              <Empty title="No messages yet">
                <p>
                  {names[channel]} {mode === 'test' ? 'of test keys' : 'that are captured instead of sent'} appear here
                  as they arrive.
                </p>
              </Empty>
            ) : (
              <>
                <ul aria-label="Conversations" className="messages">
                  {data.map((thread) => (
                    <li key={thread.phoneNumber}>
                      <Go
                        to="."
                        search={{ number: thread.phoneNumber }}
                        keepSearch
                        className="message"
                        aria-current={thread.phoneNumber === current ? 'true' : undefined}
                      >
                        <span className="message-line">
                          <span className="message-from">{thread.phoneNumber}</span>
                          <span className="small muted">
                            <Time at={thread.lastMessageAt} />
                          </span>
                        </span>
                        <span className="message-subject">{thread.preview}</span>
                      </Go>
                    </li>
                  ))}
                </ul>
                {isCut(data) && <p className="small muted inbox-end">The newest {number(allMax)} are listed.</p>}
              </>
            )
          }
        </Fetch>
      </div>
      <div className="inbox-pane scroller">
        {current && <Conversation key={current} channel={channel} phoneNumber={current} />}
      </div>
    </div>
  )
}
