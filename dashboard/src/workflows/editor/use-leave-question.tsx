import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/confirm.tsx'

/** Asks before a page with unsaved changes is left. Returns the dialog. */
export function useLeaveQuestion(isChanged: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      verb="Leave"
      onConfirm={async () => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      <p>Your changes of this workflow are not saved.</p>
    </ConfirmDialog>
  )
}
