import { useQuery } from '@tanstack/react-query'
import { metricsOf } from '../metrics/counts.ts'
import type { Period } from '../metrics/period.ts'
import { FigureList } from '../ui/figure/figure-list.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { number } from '../ui/text/words.ts'

/** The day of limits and figures: since midnight UTC. */
export const today: Period = { value: 'today', label: 'Today', interval: 'day', points: 1 }

/** Today's figures. *Sent* is what was handed over, as in a status. Limits count what was accepted. */
export function Today() {
  const emails = useQuery(metricsOf('emails', today))
  const sms = useQuery(metricsOf('sms', today)).data?.total
  const whatsapp = useQuery(metricsOf('whatsapp', today)).data?.total
  return (
    <Section
      title={
        <>
          Today <span className="muted today-zone">since midnight UTC</span>
        </>
      }
    >
      <Fetch query={emails} lines={2}>
        {({ total }) => (
          <FigureList
            figures={[
              { name: 'Sent', value: total.sent ?? 0, note: accepted(total) },
              { name: 'Delivered', value: total.delivered ?? 0, tone: 'green' },
              { name: 'Bounced', value: total.bounced ?? 0, tone: 'red' },
              { name: 'Opened', value: total.uniqueOpened ?? 0, tone: 'purple' },
              { name: 'Clicked', value: total.uniqueClicked ?? 0, tone: 'purple' },
              ...(sms ? [{ name: 'SMS sent', value: sms.sent ?? 0, note: accepted(sms) }] : []),
              ...(whatsapp ? [{ name: 'WhatsApp sent', value: whatsapp.sent ?? 0 }] : []),
            ]}
          />
        )}
      </Fetch>
      <p>
        <Go to="/metrics">All figures</Go>
      </p>
    </Section>
  )
}

/** Says how many were accepted, if any. Some may be sent later or have failed, so it may differ from *Sent*. */
function accepted(counts: Record<string, number>): string | undefined {
  return counts.accepted ? `${number(counts.accepted)} accepted` : undefined
}
