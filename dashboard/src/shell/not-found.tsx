import { Go } from '../ui/go.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found" isNarrow>
      <p>
        There is nothing at this address. The link may be old, or mistyped. <Go to="/">Back to the start</Go>
      </p>
    </Page>
  )
}
