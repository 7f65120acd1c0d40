import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type List, useList } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { ButtonLink } from '../ui/button/button.tsx'
import { Empty, Failed, Loading } from '../ui/frame/states.tsx'
import { useAddress, useMode, useSelect } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { useShortcut } from '../ui/go/shortcuts.ts'
import { More } from '../ui/table/more.tsx'
import { NoMatch } from '../ui/table/no-match.tsx'
import { ListSearch } from '../ui/table/tools.tsx'
import { useResultTold } from '../ui/table/use-result-told.ts'
import { useRows } from '../ui/table/use-rows.ts'
import { Time } from '../ui/text/time.tsx'
import { mailbox, subjectOf } from '../ui/text/words.ts'
import { type InboxItem, inboxFilters, inboxMessageOf } from './message.ts'
import { useOpened } from './opened.ts'
import { Reading } from './reading.tsx'

/** Captured emails beside the one that is read. */
export function EmailInbox() {
  const [address] = useAddress()
  const select = useSelect()
  const list = useList('/v1/inbox', inboxFilters(address))
  const opened = useOpened(address.message)
  const newest = list.rows?.[0]?.id
  useShortcut('.', 'Open the newest message', () => newest && select({ message: newest }))
  return (
    <div className="inbox-panes">
      <div className="inbox-list scroller">
        <div className="inbox-tools">
          <ListSearch name="Search messages" />
        </div>
        <Messages {...{ list, opened }} current={address.message} isFiltered={address.search !== undefined} />
      </div>
      <div className="inbox-pane scroller">
        {address.message ? (
          <Reading key={address.message} id={address.message} />
        ) : (
          list.rows &&
          list.rows.length > 0 && (
            <p className="muted inbox-hint">
              Choose a message to read it, or press <kbd>.</kbd> for the newest.
            </p>
          )
        )}
      </div>
    </div>
  )
}

type RowsProps = { list: List<InboxItem>; opened: ReadonlySet<string>; current: string | undefined }
type Props = RowsProps & { isFiltered: boolean }

function Messages({ list, opened, current, isFiltered }: Props) {
  const isTest = useMode() === 'test'
  const mayCompose = useMay('POST /v1/emails') && !isTest
  useResultTold(list, 'message')
  if (list.rows === undefined) {
    return list.error ? <Failed error={list.error} onRetry={list.retry} /> : <Loading />
  }
  if (list.rows.length === 0) {
    return isFiltered ? (
      <NoMatch title="No message matches" />
    ) : (
      <Empty title="No messages yet">
        <p>{isTest ? 'Emails of test keys' : 'Emails that are captured instead of sent'} appear here as they arrive.</p>
        {mayCompose && <ButtonLink to="/emails/new">Compose</ButtonLink>}
      </Empty>
    )
  }
  return <Rows {...{ list, opened, current }} rows={list.rows} />
}

function Rows({ list, rows, opened, current }: RowsProps & { rows: InboxItem[] }) {
  const body = useRef<HTMLUListElement>(null)
  const client = useQueryClient()
  const mode = useMode()
  const { items, height, offset } = useRows(body, rows.length, list, itemPx)
  const prefetch = (id: string) => void client.prefetchQuery(inboxMessageOf(id, mode))
  return (
    <>
      <ul ref={body} aria-label="Messages" className="messages" style={{ height }}>
        {items.map(({ index, start, size }) => {
          const row = rows[index]!
          return (
            <li
              key={row.id}
              data-index={index}
              aria-setsize={list.hasMore ? -1 : rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - offset}px)`, height: size }}
            >
              <Go
                to="."
                search={{ message: row.id }}
                keepSearch
                className="message"
                aria-current={row.id === current ? 'true' : undefined}
                onFocus={() => prefetch(row.id)}
                onPointerEnter={() => prefetch(row.id)}
              >
                <span className="message-line">
                  <span className="message-from">
                    {row.id !== current && !opened.has(row.id) && <UnreadMark />}
                    {mailbox(row.from).name}
                  </span>
                  <span className="small muted">
                    <Time at={row.createdAt} />
                  </span>
                </span>
                <span className="message-subject">{subjectOf(row)}</span>
                <span className="message-to small muted">
                  to {row.to.map((one) => mailbox(one).address).join(', ')}
                </span>
              </Go>
            </li>
          )
        })}
      </ul>
      <More list={list} />
    </>
  )
}

/** The height of a message in the list, as in the style sheet. */
const itemPx = 76

function UnreadMark() {
  return (
    <span className="message-unread">
      <span className="unseen">Unread</span>{' '}
    </span>
  )
}
