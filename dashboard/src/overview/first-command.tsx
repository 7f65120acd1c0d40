import { post } from '../api/request.ts'
import { useChange } from '../api/use-one.ts'
import { useMay } from '../session/me.ts'
import { Button } from '../ui/button/button.tsx'
import { CopyButton } from '../ui/button/copy.tsx'
import { Go } from '../ui/go/go.tsx'
import { Fault } from '../ui/text/fault.tsx'

/** The command that sends a first email. A key is made and put in by a button, for those who may make keys. */
export function FirstCommand({ domain }: { domain: string }) {
  const mayCreate = useMay('POST /v1/api-keys')
  const create = useChange(
    () => post('/v1/api-keys', { body: { name: 'First email', permission: 'sending_access' } }),
    'api-keys',
  )
  const key = create.data
  const command = commandOf(domain, key?.key ?? 'YOUR_API_KEY')
  return (
    <>
      <div className="command">
        <pre>{command}</pre>
        {/* The button that made the key is gone, so copying is next. */}
        <CopyButton key={key?.id} autoFocus={key !== undefined} text={command} name="Copy command" isSmall />
      </div>
      <Fault error={create.error} />
      {key ? (
        <p className="muted" role="status">
          The key “{key.name}” is in the command, and only here: it is not shown again. Revoke it under{' '}
          <Go to="/api-keys">API keys</Go>.
        </p>
      ) : (
        <p className="muted">Put an API key in.{mayCreate && ' The button makes one with sending access.'}</p>
      )}
      {mayCreate && !key && (
        <div className="actions">
          <Button isBusy={create.isPending} onClick={() => create.mutate(undefined)}>
            Create a key and put it in
          </Button>
        </div>
      )}
    </>
  )
}

function commandOf(domain: string, key: string): string {
  return `curl ${location.origin}/v1/emails \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"from": "Posthorn <hello@${domain}>", "to": ["ada@example.com"], "subject": "Hello", "html": "<p>It works.</p>"}'`
}
