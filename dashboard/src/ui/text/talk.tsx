import { type ReactNode, useEffect, useRef } from 'react'
import { Time } from './time.tsx'

type Said = {
  id: string
  body: string
  createdAt: string
  /** Stands at the end, where the reader's own messages are. */
  isOwn: boolean
  /** The speaker, for screen readers. */
  who: string
  /** Beside the time, such as a status. */
  note?: ReactNode
}

/** A conversation, oldest first. A new message is scrolled to. */
export function Talk({ talk }: { talk: Said[] }) {
  const end = useRef<HTMLDivElement>(null)
  const last = talk.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is scrolled to
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  return (
    <div role="log" aria-label="Conversation">
      <ol className="talk">
        {talk.map(({ id, isOwn, who, body, createdAt, note }) => (
          <li key={id} className={isOwn ? 'talk-own' : undefined}>
            <span className="unseen">{who}: </span>
            {body}
            <span className="small muted talk-note">
              <Time at={createdAt} />
              {note}
            </span>
          </li>
        ))}
      </ol>
      <div ref={end} />
    </div>
  )
}
