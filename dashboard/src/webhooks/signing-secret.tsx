import { SecretDialog } from '../ui/dialog/secret-dialog.tsx'

/** The secret of a webhook, shown once after it is made. */
export function SigningSecret({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <SecretDialog
      title="Save the signing secret"
      label="Signing secret"
      value={value}
      copyName="Copy secret"
      onDone={onDone}
    >
      <p>
        Each delivery is signed with this secret in the header <span className="mono">webhook-signature</span>. Posthorn
        does not show it again.
      </p>
    </SecretDialog>
  )
}
