import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { sayFault } from '../ui/toast.tsx'
import { goToPortal } from './billing.ts'

export function PortalButton() {
  const [isBusy, setBusy] = useState(false)
  const open = () => {
    setBusy(true)
    goToPortal()
      .catch(sayFault)
      .finally(() => setBusy(false))
  }
  return (
    <Button isBusy={isBusy} onClick={open}>
      Manage subscription
    </Button>
  )
}
