import { useQuery } from '@tanstack/react-query'
import { get } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { RouteLine } from '../ui/route-line.tsx'
import { Fetch } from '../ui/states.tsx'
import { PageLink } from './page-link.tsx'

type Installation = {
  version: string
  publicUrl: string
  providers: { email: string; sms: string; whatsapp: string; payments: string }
  smtp: { host: string; port: number | null; tlsPort: number | null }
}

/** Shows what is installed, and the ways to send a first email. */
export function FirstUse({ mayCompose }: { mayCompose: boolean }) {
  const installation = useQuery({
    queryKey: keys.part('installation', 'installation'),
    queryFn: ({ signal }) => get<Installation>('/v1/installation', { signal }),
  })
  return (
    <div className="overview">
      <div className="overview-main">
        <section className="section" aria-labelledby="first">
          <h2 id="first">Send a first email</h2>
          {mayCompose && (
            <p className="muted">
              Compose one here, or send one from a program. It appears on this page as it arrives.
            </p>
          )}
          <Command />
          <RouteLine
            name="First email"
            stations={[
              { id: 'runs', name: 'Posthorn runs', state: 'passed', tone: 'green' },
              { id: 'mail', name: 'Waiting for the first email', state: 'next' },
            ]}
          />
        </section>
      </div>
      <div className="overview-aside">
        <Fetch query={installation} lines={4}>
          {(data) => (
            <>
              <Smtp smtp={data.smtp} />
              <Running installation={data} />
            </>
          )}
        </Fetch>
      </div>
    </div>
  )
}

function Command() {
  const domains = useQuery({
    queryKey: keys.part('domains', 'newest'),
    queryFn: ({ signal }) => get<Page<{ name: string; status: string }>>('/v1/domains?limit=100', { signal }),
  }).data?.data
  const domain = domains?.find(({ status }) => status === 'verified')?.name ?? 'sandbox.test'
  const command = `curl ${location.origin}/v1/emails \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"from": "Posthorn <hello@${domain}>", "to": ["ada@example.com"], "subject": "Hello", "html": "<p>It works.</p>"}'`
  return (
    <>
      <div className="command">
        <pre>{command}</pre>
        <CopyButton text={command} name="Copy command" isSmall />
      </div>
      <p className="muted">
        Put an API key in. The first start printed one, or create another under{' '}
        <PageLink to="/api-keys">API keys</PageLink>.
      </p>
    </>
  )
}

function Smtp({ smtp: { host, port, tlsPort } }: Pick<Installation, 'smtp'>) {
  return (
    <section className="section" aria-labelledby="smtp">
      <h2 id="smtp">SMTP settings</h2>
      {port === null && tlsPort === null ? (
        <p className="muted">SMTP submission is off: SMTP_PORT and SMTPS_PORT are off.</p>
      ) : (
        <Facts>
          <Fact name="Host" isMono>
            {host}
          </Fact>
          {port !== null && (
            <Fact name="Port">
              <span className="mono">{port}</span> with STARTTLS
            </Fact>
          )}
          {tlsPort !== null && (
            <Fact name="Port with TLS" isMono>
              {tlsPort}
            </Fact>
          )}
          <Fact name="User name">Any</Fact>
          <Fact name="Password">An API key</Fact>
        </Facts>
      )}
    </section>
  )
}

function Running({ installation: { version, publicUrl, providers } }: { installation: Installation }) {
  const shown: [string, string][] = [
    ['Email', providers.email],
    ['SMS', providers.sms],
    ['WhatsApp', providers.whatsapp],
    ['Payments', providers.payments],
  ]
  return (
    <section className="section" aria-labelledby="runs">
      <h2 id="runs">What runs</h2>
      <Facts>
        <Fact name="Posthorn">{version}</Fact>
        <Fact name="Address" isMono>
          {publicUrl}
        </Fact>
        {shown.map(([name, provider]) => (
          <Fact key={name} name={name}>
            {provider}
            {provider === 'capture' && <span className="muted">: kept in the inbox, sent nowhere</span>}
          </Fact>
        ))}
      </Facts>
    </section>
  )
}
