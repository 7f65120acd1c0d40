import type { App } from '../../context.ts'

/**
 * Returns the link to a page that takes a token. It is behind `#`, which a browser sends to no server, so no log keeps
 * it.
 */
export function tokenLink(app: App, page: 'address' | 'invitation' | 'reset' | 'verify', token: string): string {
  return `${app.publicUrl()}/app/${page}#token=${token}`
}
