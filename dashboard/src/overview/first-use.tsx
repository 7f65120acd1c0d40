import { useQuery } from '@tanstack/react-query'
import { allOf } from '../api/all.ts'
import type { RowOf } from '../api/request.ts'
import { type Installation, useInstallation } from '../session/installation.ts'
import { whoMay } from '../session/me.ts'
import { ButtonLink } from '../ui/button/button.tsx'
import { RouteLine, type Station } from '../ui/frame/route-line.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { FirstCommand } from './first-command.tsx'

/** Shows what is installed, and the way to a first email: a verified domain, then the command. */
export function FirstUse({ mayCompose }: { mayCompose: boolean }) {
  const installation = useInstallation()
  const domains = useQuery(allOf('/v1/domains'))
  return (
    <div className="overview">
      <div className="overview-main">
        <Fetch query={domains} lines={4}>
          {(data) => {
            const verified = data.find(({ status }) => status === 'verified')
            return verified ? (
              <FirstEmail domain={verified.name} mayCompose={mayCompose} />
            ) : (
              <FirstDomain newest={data[0]} mayAdd={mayCompose} />
            )
          }}
        </Fetch>
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

const runs: Station = { id: 'runs', name: 'Posthorn runs', state: 'passed', tone: 'green' }

function FirstEmail({ domain, mayCompose }: { domain: string; mayCompose: boolean }) {
  return (
    <Section title="Send a first email">
      {mayCompose && (
        <p className="muted">Compose one here, or send one from a program. It appears on this page as it arrives.</p>
      )}
      <FirstCommand domain={domain} />
      <RouteLine
        name="First email"
        stations={[runs, { id: 'mail', name: 'Waiting for the first email', state: 'next' }]}
      />
    </Section>
  )
}

/** No email leaves without a verified domain. `newest` is one that waits for its records. */
function FirstDomain({ newest, mayAdd }: { newest: RowOf<'/v1/domains'> | undefined; mayAdd: boolean }) {
  return (
    <Section title={newest ? `Verify ${newest.name}` : 'Add a domain'}>
      <p className="muted">
        Emails leave from a domain that is verified.{' '}
        {newest
          ? 'Publish the records that its page lists, and press Verify DNS.'
          : 'Add yours, publish the records that its page lists, and press Verify DNS.'}
        {!mayAdd && ` ${whoMay('POST /v1/domains')} do this.`}
      </p>
      {mayAdd && (
        <div className="actions">
          <ButtonLink to={newest ? `/domains/${newest.id}` : '/domains'}>
            {newest ? 'Show the records' : 'Go to Domains'}
          </ButtonLink>
        </div>
      )}
      <RouteLine
        name="First email"
        stations={[
          runs,
          { id: 'domain', name: 'Waiting for a verified domain', state: 'next' },
          { id: 'mail', name: 'First email', state: 'later' },
        ]}
      />
    </Section>
  )
}

function Smtp({ smtp: { host, port, tlsPort } }: Pick<Installation, 'smtp'>) {
  return (
    <Section title="SMTP settings">
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
    </Section>
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
    <Section title="What runs">
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
    </Section>
  )
}
