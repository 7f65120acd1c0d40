import { useState } from 'react'
import { client } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { ConfirmButton } from '../../ui/dialog/confirm.tsx'
import { Secret } from '../../ui/dialog/secret.tsx'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import type { Workflow } from '../workflow.ts'

/** The URL that starts a workflow, and a button that replaces it. Empty unless it is saved with such a trigger. */
export function TriggerAddress({ workflow }: { workflow: Workflow }) {
  const mayRotate = useMay('POST /v1/workflows/:id/rotate-trigger-key')
  const [fresh, setFresh] = useState<string | null>(null)
  if (!workflow.nodes.some(({ type }) => type === 'webhook_received')) return null
  if (!mayRotate)
    return (
      <p className="muted">
        {whoMay('POST /v1/workflows/:id/rotate-trigger-key')} see the URL that starts this workflow.
      </p>
    )
  return (
    <div className="section">
      {workflow.triggerUrl && <Secret label="Trigger URL" value={workflow.triggerUrl} copyName="Copy trigger URL" />}
      <p className="small muted">
        A POST to it starts the workflow while it is active. The URL is all that is needed, so keep it secret.
      </p>
      <div>
        <ConfirmButton
          name="Rotate trigger key"
          verb="Rotate"
          onConfirm={async () => {
            const rotated = await post('/v1/workflows/:id/rotate-trigger-key', { id: workflow.id })
            client.setQueryData(oneOf('/v1/workflows/:id', { id: workflow.id }).queryKey, rotated)
            setFresh(rotated.triggerUrl)
          }}
        >
          <p>The current URL stops working at once. Give its callers the new one.</p>
        </ConfirmButton>
      </div>
      {fresh && (
        <SecretDialog
          title="Save the trigger URL"
          label="New trigger URL"
          value={fresh}
          copyName="Copy new trigger URL"
          onDone={() => setFresh(null)}
        >
          <p>The old URL no longer works. Give its callers this one.</p>
        </SecretDialog>
      )}
    </div>
  )
}
