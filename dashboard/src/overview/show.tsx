import { useRef } from 'react'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { ButtonLink } from '../ui/button/button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Failed, Loading } from '../ui/frame/states.tsx'
import { Attention } from './attention.tsx'
import { FirstMail } from './first-mail.tsx'
import { FirstUse } from './first-use.tsx'
import { Latest } from './latest.tsx'
import { Limits } from './limits.tsx'
import { Today } from './today.tsx'

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/emails')

/** How to send a first email until there is one, which is then shown as it arrives. Later, how things are. */
export default function Overview() {
  const { rows, total, error, retry } = useList('/v1/emails')
  const mayCompose = useMay('POST /v1/emails')
  const sawNone = useRef(false)
  if (total === 0) sawNone.current = true
  const newest = rows?.[0]
  const isFirst = newest !== undefined && (total === 1 || sawNone.current)
  const compose = mayCompose && (
    <ButtonLink to="/emails/new" kind="main">
      Compose
    </ButtonLink>
  )
  return (
    <Page title="Overview" actions={compose}>
      {rows === undefined && (error ? <Failed error={error} onRetry={retry} /> : <Loading />)}
      {rows?.length === 0 && <FirstUse mayCompose={mayCompose} />}
      {isFirst && <FirstMail email={newest} />}
      {newest && (
        <div className="overview">
          <div className="overview-main">
            <Today />
            {!isFirst && <Latest emails={rows.slice(0, 5)} />}
          </div>
          <div className="overview-aside">
            <Attention />
            <Limits />
          </div>
        </div>
      )}
    </Page>
  )
}
