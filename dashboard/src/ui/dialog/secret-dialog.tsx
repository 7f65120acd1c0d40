import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { Dialog } from './dialog.tsx'
import { Secret } from './secret.tsx'
import { useHeldHistory } from './use-held-history.ts'

type Props = {
  /** The dialog's name, such as *Save your API key*. */
  title: string
  label: string
  value: string
  copyName: string
  onDone: () => void
  /** Says what the secret is for, and that it is shown once. */
  children: ReactNode
}

/** A dialog that shows a secret once. Only *Done* closes it, so that neither Escape nor Back can lose the secret. */
export function SecretDialog({ title, label, value, copyName, onDone, children }: Props) {
  useHeldHistory()
  return (
    <Dialog title={title} onClose={onDone} isFirm>
      <Secret label={label} value={value} copyName={copyName} />
      <div>{children}</div>
      <div className="dialog-actions">
        <Button kind="main" onClick={onDone}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
