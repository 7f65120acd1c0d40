import { useState } from 'react'
import { changed } from '../api/client.ts'
import type { Prefetch } from '../api/list.ts'
import { post } from '../api/request.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { useMay } from '../session/me.ts'
import { ActionButton } from '../ui/button/action-button.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Fault } from '../ui/text/fault.tsx'
import { countOf } from '../ui/text/words.ts'
import { DeleteDomain, RotateDkim } from './change.tsx'
import { countRecords, type Domain, isWaiting } from './domain.ts'
import { Records } from './records.tsx'
import { Sending } from './sending.tsx'
import { Verification } from './verification.tsx'

export const prefetch: Prefetch = (client, { params }) =>
  client.prefetchQuery(oneOf('/v1/domains/:id', { id: params.id! }))

export default function ShowDomain() {
  const query = useOne('/v1/domains/:id', { id: usePathPart('id') })
  const mayChange = useMay('PATCH /v1/domains/:id')
  const [fault, setFault] = useState<unknown>()
  const domain = query.data
  return (
    <Page
      title={domain?.name ?? titleWithout(query.error, 'Domain')}
      above={<Go to="/domains">Domains</Go>}
      actions={
        domain &&
        mayChange && (
          <>
            <RotateDkim domain={domain} />
            <DeleteDomain domain={domain} />
            <ActionButton kind="main" run={() => verify(domain)} onFault={setFault}>
              Verify DNS
            </ActionButton>
          </>
        )
      }
    >
      <Fault error={fault} />
      <Fetch query={query}>
        {(domain) => (
          <>
            <Verification domain={domain} />
            <Section title="DNS records">
              <p className="muted">
                Publish these records where the DNS of {domain.name} is kept.
                {isWaiting(domain) && ' Posthorn looks for them by itself, for 72 hours from the first check.'}
              </p>
              <Records domain={domain} />
            </Section>
            <Section title="Sending" className="domain-sending">
              <Sending key={domain.id} domain={domain} mayChange={mayChange} />
            </Section>
          </>
        )}
      </Fetch>
    </Page>
  )
}

/** Looks the records up now, and says what was found. */
async function verify({ id }: Domain): Promise<void> {
  try {
    const { status, records } = await post('/v1/domains/:id/verify', { id })
    const { found, lookedUp } = countRecords(records)
    say(status === 'verified' ? 'The domain is verified' : `${countOf(lookedUp - found, 'record')} not found yet`)
  } finally {
    changed('domains')
  }
}
