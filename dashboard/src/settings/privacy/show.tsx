import { useMay, whoMay } from '../../session/me.ts'
import { Page } from '../../ui/frame/page.tsx'
import { useAddress, useSelect } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Progress } from './progress.tsx'
import { RequestForm } from './request-form.tsx'
import { PastRequests } from './requests.tsx'

/** Exports or erases a person. The address holds the request that is shown, so that its link shows it again. */
export default function Privacy() {
  const [{ request }] = useAddress()
  const select = useSelect()
  const mayAsk = useMay('POST /v1/privacy/requests')
  return (
    <Page title="Privacy" above={<Go to="/settings">Settings</Go>} isNarrow>
      {mayAsk ? (
        <>
          <RequestForm onBegun={(id) => select({ request: id })} />
          {request && <Progress key={request} id={request} />}
          <PastRequests />
        </>
      ) : (
        <p className="muted">{whoMay('POST /v1/privacy/requests')} export and erase persons.</p>
      )}
    </Page>
  )
}
