import { type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import type { IconName } from '../icon.tsx'
import { Fault } from '../text/fault.tsx'
import { Dialog } from './dialog.tsx'
import { useSayIfGone } from './say-if-gone.ts'

type Props = {
  /** The button's name, such as *Revoke Shop*. The dialog's is the same with a question mark. */
  name: string
  /** The verb of the button that does it, such as *Revoke*. */
  verb: string
  /** The content of the button, if not its name. */
  short?: string
  icon?: IconName
  kind?: 'plain' | 'danger' | 'quiet'
  onConfirm: () => Promise<unknown>
  /** The consequence, in a sentence. */
  children?: ReactNode
}

/** A button that asks before it destroys. */
export function ConfirmButton({ name, verb, short, icon, kind = 'plain', onConfirm, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind={kind}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        {...(icon && { icon, label: name })}
        {...(short && { 'aria-label': name })}
      >
        {icon ? null : (short ?? name)}
      </Button>
      {isOpen && (
        <ConfirmDialog title={`${name}?`} verb={verb} onConfirm={onConfirm} onClose={() => setOpen(false)}>
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}

type DialogProps = {
  title: string
  verb: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  /** `main` for what is weighty but destroys nothing, such as sending. */
  kind?: 'danger' | 'main'
  children?: ReactNode
}

/** The question itself, for a menu item or a page that opens it by its own. */
export function ConfirmDialog({ title, verb, onConfirm, onClose, kind = 'danger', children }: DialogProps) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const sayIfGone = useSayIfGone()
  async function confirm() {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (thrown) {
      sayIfGone(title, thrown)
      setError(thrown)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children && <div>{children}</div>}
      <Fault error={error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Back</Button>
        <Button kind={kind} isBusy={isBusy} onClick={() => void confirm()}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
