import { Status } from '../status/status.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { dollars, sentence } from '../ui/text/words.ts'
import type { Subscription } from './billing.ts'

/** The plan in force, its period, and what is left of the SMS credit. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
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
