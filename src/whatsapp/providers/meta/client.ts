import { egressAnywhere } from '../../../platform/egress/anywhere.ts'
import type { Resolve } from '../../../platform/egress/connect.ts'
import type { EgressRequest } from '../../../platform/egress/egress.ts'
import { type JsonAnswer, readJsonAnswer } from '../../../platform/egress/json-answer.ts'
import type { Json } from '../../../platform/http/body/read-foreign-json.ts'

export type GraphAccess = { accessToken: string; apiBase: string; apiVersion: string; resolve?: Resolve }

export type GraphClient = {
  /** Makes one attempt. `path` follows the version: `/12345/messages`. */
  post(path: string, body: Json): Promise<JsonAnswer>
  get(path: string, query: Record<string, string>): Promise<JsonAnswer>
  close(): Promise<void>
}

const answerMaxBytes = 1024 * 1024

/** A client of Meta's Graph API. `timeoutMs` limits a whole call. */
export function graphClient(access: GraphAccess, timeoutMs: number): GraphClient {
  const { accessToken, apiBase, apiVersion, resolve } = access
  const egress = egressAnywhere(resolve)
  const root = `${apiBase}/${apiVersion}`
  async function call(request: Pick<EgressRequest, 'url' | 'method' | 'body'>): Promise<JsonAnswer> {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    }
    return readJsonAnswer(await egress.request({ ...request, headers, timeoutMs, bodyMaxBytes: answerMaxBytes }))
  }
  return {
    post: (path, body) => call({ url: root + path, method: 'POST', body: JSON.stringify(body) }),
    get: (path, query) => call({ url: `${root}${path}?${new URLSearchParams(query)}`, method: 'GET' }),
    close: () => egress.close(),
  }
}

/** Makes an id that a team wrote safe as one segment of a path. Meta's own ids are numbers. */
export function idSegment(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_')
}
