import { useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { SmallTable } from '../ui/table/small-table.tsx'
import { Fault } from '../ui/text/fault.tsx'
import { dollars, number } from '../ui/text/words.ts'
import { goToCheckout, type Plan } from './billing.ts'

/** The plans beside each other. An owner goes from here to the page where one is paid. */
export function Plans({ plans, mayChoose }: { plans: Plan[]; mayChoose: boolean }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<unknown>()
  const choose = ({ plan }: Plan) => {
    setChosen(plan)
    setError(undefined)
    goToCheckout(plan)
      .catch(setError)
      .finally(() => setChosen(null))
  }
  return (
    <>
      <Fault error={error} />
      <SmallTable<Plan>
        name="Plans"
        rows={plans}
        keyOf={({ plan }) => plan}
        columns={[
          { name: 'Plan', cell: ({ name }) => <strong>{name}</strong> },
          { name: 'A month', cell: ({ monthlyPrice }) => dollars(monthlyPrice, 0) },
          { name: 'Emails a day', cell: ({ dailyEmailLimit }) => number(dailyEmailLimit) },
          { name: 'SMS a day', cell: ({ dailySmsLimit }) => number(dailySmsLimit) },
          { name: 'SMS credit a month', cell: ({ monthlySmsCreditCents }) => dollars(monthlySmsCreditCents / 100) },
          {
            name: 'Choice',
            width: '160px',
            isHeadUnseen: true,
            cell: (plan) => (
              <Choice plan={plan} mayChoose={mayChoose} isBusy={chosen === plan.plan} onChoose={() => choose(plan)} />
            ),
          },
        ]}
      />
    </>
  )
}

type ChoiceProps = { plan: Plan; mayChoose: boolean; isBusy: boolean; onChoose: () => void }

function Choice({ plan, mayChoose, isBusy, onChoose }: ChoiceProps) {
  if (plan.current) return <span className="current-plan">Current plan</span>
  // The free plan begins when a subscription ends.
  if (!mayChoose || plan.plan === 'free') return null
  return (
    <Button isBusy={isBusy} onClick={onChoose}>
      Choose {plan.name}
    </Button>
  )
}
