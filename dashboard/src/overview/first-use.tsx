import { type Installation, useInstallation } from '../installation/installation.ts'
import { Fact, Facts } from '../ui/facts.tsx'
import { RouteLine } from '../ui/route-line.tsx'
import { Fetch } from '../ui/states.tsx'
import { FirstCommand } from './first-command.tsx'

/** Shows what is installed, and the ways to send a first email. */
export function FirstUse({ mayCompose }: { mayCompose: boolean }) {
  const installation = useInstallation()
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
          <FirstCommand />
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
