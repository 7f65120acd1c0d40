import type { App } from '../../context.ts'
import type { EgressResult } from '../egress/egress.ts'

/** Shorter than the 15 s that Amazon SNS waits for our own answer. */
const timeoutMs = 5000
const bodyMaxBytes = 64 * 1024

/** Fetches a certificate or confirms a subscription. The caller has checked that the address is Amazon's. */
export function askSns(app: App, url: string): Promise<EgressResult> {
  return app.egress.request({ url, method: 'GET', timeoutMs, bodyMaxBytes })
}
