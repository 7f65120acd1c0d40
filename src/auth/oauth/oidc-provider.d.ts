/** Types for the parts of the package that tests use; the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Claims = Record<string, unknown>
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type GrantClass = new (owner: { clientId: string; accountId: string }) => Grant
  type Context = {
    oidc: { provider: { Grant: GrantClass }; client?: { clientId: string }; session?: { accountId?: string } }
  }

  type Settings = {
    clients: Record<string, unknown>[]
    claims: Record<string, string[]>
    cookies: { keys: string[] }
    features: { devInteractions: { enabled: boolean } }
    interactions: { url(context: Context, interaction: { uid: string }): string }
    ttl: Record<string, number>
    findAccount(context: Context, sub: string): Promise<{ accountId: string; claims(): Promise<Claims> }>
    loadExistingGrant(context: Context): Promise<Grant>
  }

  export class Provider {
    constructor(issuer: string, settings: Settings)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: Record<string, unknown> }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } },
    ): Promise<void>
  }
}
