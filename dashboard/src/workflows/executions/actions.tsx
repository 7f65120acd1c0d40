import { useState } from 'react'
import { changed } from '../../api/client.ts'
import { useOnceKey } from '../../api/once-key.ts'
import { post } from '../../api/request.ts'
import { useMay } from '../../session/me.ts'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmButton } from '../../ui/dialog/confirm.tsx'
import { say, sayFault } from '../../ui/dialog/toast.tsx'
import { useGoOn } from '../../ui/go/use-go.ts'
import type { Execution } from './execution.ts'

/** Runs an execution again, whole or from the step that failed, or stops it. */
export function ExecutionActions({ execution }: { execution: Execution }) {
  const { id, workflowId, status } = execution
  const of = { id: workflowId, exec_id: id }
  const [busy, setBusy] = useState<'whole' | 'failed' | null>(null)
  const go = useGoOn()
  const { headersFor, renew } = useOnceKey()
  const mayWrite = useMay('POST /v1/workflows/:id/executions/:exec_id/rerun')
  if (!mayWrite) return null
  async function rerun(kind: 'whole' | 'failed') {
    if (busy) return
    setBusy(kind)
    try {
      const request = { ...of, body: { fromFailedNode: kind === 'failed' } }
      const headers = headersFor(JSON.stringify(request))
      const { id: next } = await post('/v1/workflows/:id/executions/:exec_id/rerun', request, { headers })
      renew()
      changed('workflows')
      say('Started again')
      await go(`/workflows/${workflowId}/executions/${next}`)
    } catch (error) {
      sayFault(error)
    } finally {
      setBusy(null)
    }
  }
  if (status === 'running' || status === 'waiting') {
    return (
      <ConfirmButton
        name="Cancel execution"
        verb="Cancel"
        kind="danger"
        onConfirm={async () => {
          await post('/v1/workflows/:id/executions/:exec_id/cancel', of)
          changed('workflows')
          say('Cancelled')
        }}
      >
        <p>Steps that have not begun do not run. A step under way may have taken effect.</p>
      </ConfirmButton>
    )
  }
  return (
    <>
      <Button isBusy={busy === 'whole'} onClick={() => void rerun('whole')}>
        Rerun
      </Button>
      {status === 'failed' && (
        <Button kind="main" isBusy={busy === 'failed'} onClick={() => void rerun('failed')}>
          Rerun from failed step
        </Button>
      )}
    </>
  )
}
