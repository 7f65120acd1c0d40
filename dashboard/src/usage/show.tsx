import { queryOptions, useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import type { Prefetch } from '../api/list.ts'
import { type Answer, get } from '../api/request.ts'
import { useMay } from '../session/me.ts'
import { ButtonLink } from '../ui/button/button.tsx'
import { Meter } from '../ui/frame/meter.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { dollars, number, sentence } from '../ui/text/words.ts'

type Limits = Answer<'/v1/rate-limits'> & { requests: Requests }
/** The requests of this browser in the minute under way. A browser may make more than an API key of a small plan. */
type Requests = { used: number; max: number }

const usageQuery = queryOptions({ queryKey: keys.part('rate-limits', 'usage'), queryFn: readUsage })

async function readUsage({ signal }: { signal: AbortSignal }): Promise<Limits> {
  const requests: Requests = { used: 0, max: 0 }
  const onHeaders = (headers: Headers) => {
    requests.max = Number(headers.get('X-RateLimit-Limit'))
    requests.used = requests.max - Number(headers.get('X-RateLimit-Remaining'))
  }
  const limits = await get('/v1/rate-limits', {}, { signal, onHeaders })
  return { ...limits, requests }
}

export const prefetch: Prefetch = (client) => client.prefetchQuery(usageQuery)

export default function Usage() {
  const query = useQuery(usageQuery)
  const maySeeBilling = useMay('GET /v1/billing/plans')
  return (
    <Page title="Usage" isNarrow actions={maySeeBilling && <ButtonLink to="/billing">See plans</ButtonLink>}>
      <Fetch query={query}>
        {({ tier, limits, usage, requests }) => (
          <>
            <p className="muted">
              The limits of the plan {sentence(tier.plan)}
              {tier.hasOverride && ', as your operator changed them'}. Days are UTC; the next begins at{' '}
              <Time at={usage.resetsAt} />. What is accepted counts, whatever becomes of it; a scheduled email counts
              when its time comes.
            </p>
            <section className="section usage-meters" aria-label="Used">
              <Meter name="Emails today" value={usage.emailsSentToday} max={usage.dailyEmailLimit} />
              <Meter name="SMS today" value={usage.smsSentToday} max={usage.dailySmsLimit} />
              <Meter
                name="SMS spend today"
                value={usage.smsSpendToday}
                max={usage.dailySmsSpendLimit}
                format={dollars}
              />
              <Meter name="Your requests this minute" value={requests.used} max={requests.max} />
            </section>
            <Section title="Requests">
              <Facts>
                <Fact name="API requests">{number(limits.apiRequestsPerMinute)} a minute for each API key or user</Fact>
                <Fact name="Emails">
                  {number(limits.emailsPerSecond)} a second, {number(limits.batchSize)} in one batch
                </Fact>
                <Fact name="SMS">{number(limits.smsBatchSize)} in one batch</Fact>
              </Facts>
            </Section>
          </>
        )}
      </Fetch>
    </Page>
  )
}
