import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { useMay } from '../session/me.ts'
import { usePathPart } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Go } from '../ui/go.tsx'
import { Page } from '../ui/page.tsx'
import { Fetch, titleWithout } from '../ui/states.tsx'
import { say } from '../ui/toast.tsx'
import { countOf } from '../ui/words.ts'
import { DeleteDomain, RotateDkim } from './change.tsx'
import { type Domain, domainsPath, isWaiting } from './domain.ts'
import { Records } from './records.tsx'
import { Sending } from './sending.tsx'
import { Verification } from './verification.tsx'

export function prefetch(client: QueryClient, { params }: { params: Record<string, string> }) {
  void client.prefetchQuery(oneOf<Domain>(domainsPath, params.id!))
}

export default function ShowDomain() {
  const query = useOne<Domain>(domainsPath, usePathPart('id'))
  const mayChange = useMay('PATCH /v1/domains/:id')
  const verify = useVerify()
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
            <Button kind="main" isBusy={verify.isBusy} onClick={() => void verify.run(domain)}>
              Verify DNS
            </Button>
          </>
        )
      }
    >
      <Fault error={verify.error} />
      <Fetch query={query}>
        {(domain) => (
          <>
            <Verification domain={domain} />
            <section className="section" aria-labelledby="records">
              <h2 id="records">DNS records</h2>
              <p className="muted">
                Publish these records where the DNS of {domain.name} is kept.
                {isWaiting(domain) && ' Posthorn looks for them by itself, for 72 hours from the first check.'}
              </p>
              <Records domain={domain} />
            </section>
            <section className="section domain-sending" aria-labelledby="sending">
              <h2 id="sending">Sending</h2>
              <Sending key={domain.updatedAt} domain={domain} mayChange={mayChange} />
            </section>
          </>
        )}
      </Fetch>
    </Page>
  )
}

/** Looks the records up now, and says what was found. */
function useVerify() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async ({ id }: Domain) => {
    setBusy(true)
    setError(undefined)
    try {
      const { status, records } = await post<Domain>(`${domainsPath}/${id}/verify`)
      const missing = records.filter((record) => record.status !== 'verified').length
      say(status === 'verified' ? 'The domain is verified' : `${countOf(missing, 'record')} not found yet`)
    } catch (thrown) {
      setError(thrown)
    } finally {
      changed('domains')
      setBusy(false)
    }
  }
  return { isBusy, error, run }
}
