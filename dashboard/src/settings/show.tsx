import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../api/list.ts'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { number, sentence } from '../ui/text/words.ts'
import { DeleteTeam } from './delete.tsx'
import { OwnTeams } from './own-teams.tsx'
import { RetentionSection } from './retention.tsx'
import { limitsQuery, type RateLimits, retentionQuery, teamQuery } from './team.ts'
import { TeamSection } from './team-section.tsx'

export const prefetch: Prefetch = (client) => {
  void client.prefetchQuery(teamQuery)
  void client.prefetchQuery(retentionQuery)
  void client.prefetchQuery(limitsQuery)
}

export default function Settings() {
  return (
    <Page title="Settings" isNarrow>
      <TeamSection />
      <OwnTeams />
      <RetentionSection />
      <Limits />
      <DeleteTeam />
    </Page>
  )
}

/** The limits of the team's plan. How much of them is used stands on *Usage*. */
function Limits() {
  const query = useQuery(limitsQuery)
  return (
    <Section title="Rate limits" className="settings-part" actions={<Go to="/usage">What is used today</Go>}>
      <Fetch query={query} lines={4}>
        {(limits) => <LimitFacts {...limits} />}
      </Fetch>
    </Section>
  )
}

function LimitFacts({ tier, limits }: RateLimits) {
  const facts: [string, string][] = [
    ['Plan', `${sentence(tier.plan)}${tier.hasOverride ? ', with limits of its own' : ''}`],
    ['Requests a minute', `${number(limits.apiRequestsPerMinute)} for each key or person`],
    ['Emails a day', number(limits.dailyEmailLimit)],
    ['Emails a second', number(limits.emailsPerSecond)],
    ['Emails in a batch', number(limits.batchSize)],
    ['SMS a day', number(limits.dailySmsLimit)],
    ['SMS in a batch', number(limits.smsBatchSize)],
    ['SMS spend a day', `$${number(limits.dailySmsSpendLimit)}`],
  ]
  return (
    <>
      <Facts>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      <p className="small muted">Days begin at midnight UTC.</p>
    </>
  )
}
