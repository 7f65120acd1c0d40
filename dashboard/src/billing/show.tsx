import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { useMay, whoMay } from '../session/me.ts'
import { ActionButton } from '../ui/button/action-button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { goToPortal, plansQuery, subscriptionQuery } from './billing.ts'
import { Ledger } from './ledger.tsx'
import { Plans } from './plans.tsx'
import { SubscriptionFacts } from './subscription.tsx'

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
