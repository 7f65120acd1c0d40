import { useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { get } from '../api/request.ts'
import { Meter } from '../ui/frame/meter.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { dollars, number } from '../ui/text/words.ts'

type Limited = {
  usage: {
    emailsSentToday: number
    dailyEmailLimit: number
    smsSentToday: number
    dailySmsLimit: number
    smsSpendToday: number
    dailySmsSpendLimit: number
  }
}

/** A limit is near its end from this share on. */
const nearFrom = 0.8

/** The limits of today that are near their end. */
export function Limits() {
  const query = useQuery({
    queryKey: keys.part('rate-limits', 'today'),
    queryFn: ({ signal }) => get('/v1/rate-limits', {}, { signal }),
  })
  return (
    <Section title="Limits today">
      <Fetch query={query} lines={2}>
        {({ usage }) => {
          const near = limitsOf(usage).filter(({ value, max }) => max > 0 && value >= nearFrom * max)
          if (near.length > 0) return near.map((limit) => <Meter key={limit.name} {...limit} />)
          return (
            <p className="muted">
              None is near its end: {number(usage.emailsSentToday)} of {number(usage.dailyEmailLimit)} emails.
            </p>
          )
        }}
      </Fetch>
      <p>
        <Go to="/usage">All limits</Go>
      </p>
    </Section>
  )
}

function limitsOf(usage: Limited['usage']) {
  return [
    { name: 'Emails today', value: usage.emailsSentToday, max: usage.dailyEmailLimit, format: number },
    { name: 'SMS today', value: usage.smsSentToday, max: usage.dailySmsLimit, format: number },
    {
      ...{ name: 'SMS spend today', value: usage.smsSpendToday, max: usage.dailySmsSpendLimit },
      format: (value: number) => dollars(value),
    },
  ]
}
