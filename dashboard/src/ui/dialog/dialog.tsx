import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { useShortcut } from '../go/shortcuts.ts'
import { noteFocus } from './give-focus-back.ts'
import { noteDialog } from './open-dialogs.ts'
import { Toasts } from './toast.tsx'

const firstControl = '.dialog-content :is(input:not([readonly]), select, textarea), .dialog-content button'

type Props = {
  title: string
  onClose: () => void
  isWide?: boolean
  /** No *Close* button, and Escape does nothing: an answer is needed. */
  isFirm?: boolean
  className?: string
  children: ReactNode
}

/** A modal dialog. It is open as long as it is in the page. */
export function Dialog({ title, onClose, isWide, isFirm, className = '', children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A layout effect ends while the dialog is still in the page, and so is what is removed with it.
  useLayoutEffect(() => {
    const dialog = ref.current!
    const giveBack = noteFocus()
    if (!dialog.open) dialog.showModal()
    const noteClosed = noteDialog(id)
    // The browser would begin at the close button.
    dialog.querySelector<HTMLElement>(firstControl)?.focus()
    return () => {
      noteClosed()
      dialog.close()
      giveBack()
    }
  }, [id])
  return (
    <dialog
      ref={ref}
      className={`dialog ${isWide ? 'dialog-wide' : ''} ${className}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // The second Escape closes a dialog whatever `onCancel` says.
        if (isFirm && event.key === 'Escape') event.preventDefault()
      }}
      onCancel={(event) => {
        // The page decides, so that the dialog's state and the page's agree.
        event.preventDefault()
        if (!isFirm) onClose()
      }}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          {!isFirm && <Button kind="quiet" icon="close" label="Close" onClick={onClose} />}
        </div>
        <div className="dialog-content">{children}</div>
      </div>
      <Toasts dialogId={id} />
    </dialog>
  )
}

type DialogButtonProps = {
  /** The name of the button and of the dialog. */
  name: string
  /** The name of the dialog, if not that of the button. */
  title?: string
  /** The content of the button, if not its name. */
  short?: string
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  isWide?: boolean
  /** A key that opens it too. */
  shortcut?: string
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog with its name. */
export function DialogButton({
  name,
  title = name,
  short,
  kind = 'plain',
  isWide = false,
  shortcut = '',
  children,
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  useShortcut(shortcut, name, () => setOpen(true))
  const close = () => setOpen(false)
  return (
    <>
      <Button kind={kind} aria-haspopup="dialog" onClick={() => setOpen(true)} {...(short && { 'aria-label': name })}>
        {short ?? name}
      </Button>
      {isOpen && (
        <Dialog title={title} isWide={isWide} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}
