import type { App } from '../../../context.ts'

/** The address to register at a provider. One for each, so that no provider's answer can be taken for another's. */
export function redirectUri(app: App, provider: string): string {
  return `${app.publicUrl()}/auth/oauth/${encodeURIComponent(provider)}/callback`
}
