import { type Prefetch, prefetchList } from '../../api/list.ts'
import { Page } from '../../ui/frame/page.tsx'
import { Go } from '../../ui/go/go.tsx'
import { Sessions } from './sessions.tsx'
import { statusQuery, TwoFactor } from './two-factor.tsx'

export const prefetch: Prefetch = (client) => {
  void client.prefetchQuery(statusQuery)
  prefetchList(client, '/auth/sessions')
}

export default function Security() {
  return (
    <Page title="Security" above={<Go to="/settings">Settings</Go>}>
      <TwoFactor />
      <Sessions />
    </Page>
  )
}
