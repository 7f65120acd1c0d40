import { Page } from '../ui/frame/page.tsx'
import { Go } from '../ui/go/go.tsx'

export function NotFound() {
  return (
    <Page title="Page not found" isNarrow>
      <p>
        There is no page at this address. The link may be old or mistyped. <Go to="/">Open the overview</Go>
      </p>
    </Page>
  )
}
