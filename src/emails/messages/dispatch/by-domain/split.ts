import type { NewJob } from '../../../../platform/jobs/enqueue.ts'
import { domainOf } from '../../../../platform/text/mail-address.ts'
import type { Delivery, DeliveryJob } from '../../../jobs.ts'
import type { MessageHead, RecipientOutcome } from '../../../provider.ts'
import { delayAfter } from '../ending.ts'

type Terms = Pick<Delivery, 'repeatsLost' | 'taken'>

export function splitByDomain({ teamId, emailId, envelope }: MessageHead, terms: Terms): NewJob<DeliveryJob>[] {
  const domains = [...Map.groupBy(envelope.to, domainOf)]
  return domains.map(([domain, recipients], index) => {
    const payload: Delivery = {
      emailId,
      domain,
      recipients,
      of: domains.length,
      failures: 0,
      lost: 0,
      since: null,
      told: false,
      ...terms,
    }
    return { teamId, key: keyOf(emailId, index), payload }
  })
}

/** Makes jobs for the recipients that a relay left without a final answer. `lost`: the answers lost before this one. */
export function repeatByDomain(
  message: MessageHead,
  open: RecipientOutcome[],
  { lost: lostBefore, ...terms }: Terms & { lost: number },
  now: Date,
): NewJob<DeliveryJob>[] {
  const lost = new Set(open.flatMap(({ recipient, result }) => (result === 'lost' ? recipient : [])))
  const to = open.map(({ recipient }) => recipient)
  return splitByDomain({ ...message, envelope: { ...message.envelope, to } }, terms).map((job) => {
    const delivery = job.payload
    const lostNow = delivery.recipients.filter((recipient) => lost.has(recipient))
    const payload = {
      ...delivery,
      failures: 1,
      lost: lostBefore + (lostNow.length > 0 ? 1 : 0),
      lostFor: lostBefore > 0 ? delivery.recipients : lostNow,
      since: now.toISOString(),
      told: true,
    }
    const runAt = new Date(now.getTime() + delayAfter(1))
    return { ...job, payload, runAt }
  })
}

/** Tells whether a recipient may have the email, since an answer about it was lost. */
export function mayHave({ lost, lostFor }: Delivery, recipient: string): boolean {
  return lostFor ? lostFor.includes(recipient) : lost > 0
}

/** Returns the keys of all jobs of an email, including completed ones. */
export function keysOf({ emailId, of }: Delivery): string[] {
  return Array.from({ length: of }, (_, index) => keyOf(emailId, index))
}

function keyOf(emailId: string, index: number): string {
  return `${emailId}/${index}`
}
