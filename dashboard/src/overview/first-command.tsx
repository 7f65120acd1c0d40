import { useQuery } from '@tanstack/react-query'
import { get, post } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import { useChange } from '../api/use-one.ts'
import { type CreatedApiKey, keysPath } from '../api-keys/key.ts'
import { useHasRole } from '../session/me.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Fault } from '../ui/fault.tsx'
import { Loading } from '../ui/states.tsx'
import { PageLink } from './page-link.tsx'

/** The command that sends a first email. A key is made and put in by a button, for those who may make keys. */
export function FirstCommand() {
  const domains = useQuery({
    queryKey: keys.part('domains', 'newest'),
    queryFn: ({ signal }) => get<Page<{ name: string; status: string }>>('/v1/domains?limit=100', { signal }),
  }).data?.data
  if (domains === undefined) return <Loading lines={2} />
  const domain = domains.find(({ status }) => status === 'verified')?.name
  if (domain !== undefined) return <Command domain={domain} />
  return (
    <p className="muted">
      An email leaves from a domain that is verified. Add one under <PageLink to="/domains">Domains</PageLink>.
    </p>
  )
}

function Command({ domain }: { domain: string }) {
  const mayCreate = useHasRole('owner', 'admin', 'developer')
  const create = useChange(
    () => post<CreatedApiKey>(keysPath, { name: 'First email', permission: 'sending_access' }),
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
          <PageLink to="/api-keys">API keys</PageLink>.
        </p>
      ) : (
        <p className="muted">
          Put an API key in.
          {mayCreate && ' The first start printed one, or make one with sending access here.'}
        </p>
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
