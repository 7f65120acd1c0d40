import type { Prefetch } from '../api/list.ts'
import { Page } from '../ui/frame/page.tsx'
import { DeleteTeam } from './delete.tsx'
import { Limits } from './limits.tsx'
import { OwnTeams } from './own-teams.tsx'
import { RetentionSection } from './retention.tsx'
import { limitsQuery, retentionQuery, teamQuery } from './team.ts'
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
