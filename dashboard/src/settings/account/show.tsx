import { useMe } from '../../session/me.ts'
import { Page } from '../../ui/frame/page.tsx'
import { Go } from '../../ui/go/go.tsx'
import { AddressSection } from './address.tsx'
import { DeleteAccount } from './delete.tsx'
import { NameForm } from './name.tsx'
import { PasswordSection } from './password.tsx'

export default function Account() {
  const { user } = useMe()
  return (
    <Page title="Account" above={<Go to="/settings">Settings</Go>} isNarrow>
      <NameForm key={user.id} />
      <AddressSection />
      <PasswordSection />
      <DeleteAccount />
    </Page>
  )
}
