import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { useMay, whoMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ActionButton } from '../ui/button/action-button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { dollars, sentence } from '../ui/text/words.ts'
import { goToPortal, plansQuery, type Subscription, subscriptionQuery } from './billing.ts'
import { Ledger } from './ledger.tsx'
import { Plans } from './plans.tsx'

export const prefetch: Prefetch = (client) => {
  void client.prefetchQuery(plansQuery)
  void client.prefetchQuery(subscriptionQuery)
}

export default function Billing() {
  const isReader = useMay('GET /v1/billing/subscription')
  if (isReader) return <Shown />
  return (
    <Page title="Billing">
      <p className="muted">
        {whoMay('GET /v1/billing/subscription')} see billing. {whoMay('POST /v1/billing/checkout')} change the plan.
      </p>
    </Page>
  )
}

function Shown() {
  const plans = useQuery(plansQuery)
  const subscription = useQuery(subscriptionQuery)
  const isOwner = useMay('POST /v1/billing/checkout')
  const hasSubscription = Boolean(subscription.data?.providerSubscriptionId)
  return (
    <Page
      title="Billing"
      actions={isOwner && hasSubscription && <ActionButton run={goToPortal}>Manage subscription</ActionButton>}
    >
      {!isOwner && <p className="muted">{whoMay('POST /v1/billing/checkout')} change the plan.</p>}
      <Fetch query={subscription} lines={3}>
        {(data) => <SubscriptionFacts subscription={data} />}
      </Fetch>
      <Section title="Plans">
        <Fetch query={plans} lines={4}>
          {({ data }) => <Plans plans={data} mayChoose={isOwner} />}
        </Fetch>
      </Section>
      <Section title="SMS credit">
        <Ledger />
      </Section>
    </Page>
  )
}

/** The plan in force, its period, and what is left of the SMS credit. */
function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { plan, status, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } = subscription
  return (
    <div className="billing-now">
      <Facts>
        <Fact name="Plan">{sentence(plan)}</Fact>
        <Fact name="Subscription">{subscription.providerSubscriptionId ? <Status of={status} /> : 'None'}</Fact>
        {currentPeriodStart && currentPeriodEnd && (
          <Fact name="Period">
            <Time at={currentPeriodStart} isExact /> – <Time at={currentPeriodEnd} isExact />
          </Fact>
        )}
        {cancelAtPeriodEnd && <Fact name="Then">The subscription ends with this period.</Fact>}
      </Facts>
      <Credit subscription={subscription} />
    </div>
  )
}

function Credit({
  subscription: { smsCreditCentsRemaining: left, monthlySmsCreditCents: monthly },
}: {
  subscription: Subscription
}) {
  return (
    <div className="billing-credit">
      <p>
        SMS credit: <strong>{dollars(left / 100)}</strong> left
        {monthly > 0 && ` of ${dollars(monthly / 100)} a month`}
      </p>
      <p className="small muted">Each period begins with the plan’s credit. What is not used does not roll over.</p>
    </div>
  )
}
