import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../ui/button/button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { textOfFault } from '../ui/text/fault.tsx'

/** Shown where a page's code could not be loaded, such as after an update, or has a bug. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown" isNarrow>
      <p role="alert">{textOfFault(error)}</p>
      <Button onClick={() => location.reload()}>Load again</Button>
    </Page>
  )
}
