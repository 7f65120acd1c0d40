import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Answer, post } from '../../api/request.ts'
import { oneById, useChange } from '../../api/use-one.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DeleteShown } from '../../ui/dialog/delete-shown.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Beside } from '../../ui/frame/beside.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { RouteLine } from '../../ui/frame/route-line.tsx'
import { Fetch, titleWithout } from '../../ui/frame/states.tsx'
import { usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import type { AnySender } from './sender.ts'
import { senderAdvice, senderStations } from './stations.ts'

type Channel = 'sms' | 'whatsapp'
type SenderOf<C extends Channel> = Answer<`/v1/${C}/senders/:id`>

type Props<C extends Channel> = {
  channel: C
  /** The name of the page of all senders. */
  all: string
  /** The action that stays where the sender cannot be deleted. */
  onDelete: string
  facts: (sender: SenderOf<C>) => ReactNode
  edit: (sender: SenderOf<C>, close: () => void) => ReactNode
}

/**
 * The page of one sender, in either channel: its verification as a route line, what it is, and what can be done with
 * it.
 */
export function SenderPage<C extends Channel>({ channel, all, onDelete, facts, edit }: Props<C>) {
  const id = usePathPart('id')
  const query = useQuery(oneById(`/v1/${channel}/senders/:id`, id))
  const mayChange = useMay('PATCH /v1/sms/senders/:id')
  const verify = useChange(async () => {
    const { status } = await post(`/v1/${channel as Channel}/senders/:id/verify`, { id })
    if (status === 'active') say('The sender is active')
  }, `${channel}/senders`)
  const sender = query.data
  return (
    <Page
      title={sender?.name ?? titleWithout(query.error, 'Sender')}
      above={<Go to={`/${channel}/senders`}>{all}</Go>}
      actions={
        sender &&
        mayChange && (
          <>
            <DialogButton name="Edit">{(close) => edit(sender, close)}</DialogButton>
            <DeleteShown noun={`${channel}/senders`} id={id} name={sender.name}>
              {onDelete}
            </DeleteShown>
            {mayVerify(channel, sender) && (
              <Button kind="main" isBusy={verify.isPending} onClick={() => verify.mutate(undefined)}>
                Verify
              </Button>
            )}
          </>
        )
      }
    >
      <Fault error={verify.error} />
      <Fetch query={query}>
        {(one) => (
          <Beside
            name="Verification"
            way={<RouteLine name="Verification" stations={senderStations(one)} />}
            status={
              <>
                <Status of={one.status} />
                <span className="muted">{senderAdvice[one.status]}</span>
              </>
            }
          >
            {facts(one)}
            {!mayChange && <p className="muted">{whoMay('PATCH /v1/sms/senders/:id')} verify and change senders.</p>}
          </Beside>
        )}
      </Fetch>
    </Page>
  )
}

/** The server refuses to verify a WhatsApp sender again while Meta is asked. */
function mayVerify(channel: Channel, { status }: AnySender): boolean {
  if (channel === 'whatsapp' && status === 'pending') return false
  return status !== 'active' && status !== 'suspended'
}
