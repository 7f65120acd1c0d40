import { egressAnywhere } from '../../../platform/egress/anywhere.ts'
import type { Resolve } from '../../../platform/egress/connect.ts'
import { type JsonAnswer, readJsonAnswer } from '../../../platform/egress/json-answer.ts'

export type TwilioAccount = { accountSid: string; authToken: string; apiBase: string; resolve?: Resolve }

export type TwilioClient = {
  /** Makes one attempt. `resource` is the path below the account, such as `/Messages`; empty for the account itself. */
  post(resource: string, form: Record<string, string>): Promise<JsonAnswer>
  get(resource: string, query: Record<string, string>): Promise<JsonAnswer>
  close(): Promise<void>
}

const answerMaxBytes = 256 * 1024

/** A client of Twilio's REST API, version 2010-04-01. `timeoutMs` limits a whole call. */
export function twilioClient(of: TwilioAccount, timeoutMs: number): TwilioClient {
  const { accountSid, authToken, apiBase, resolve } = of
  const egress = egressAnywhere(resolve)
  const account = `${apiBase}/2010-04-01/Accounts/${accountSid}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const bounds = { timeoutMs, bodyMaxBytes: answerMaxBytes }
  return {
    async post(resource, form) {
      const headers = { authorization, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams(form).toString()
      return readJsonAnswer(
        await egress.request({ url: `${account}${resource}.json`, method: 'POST', headers, body, ...bounds }),
      )
    },
    async get(resource, query) {
      const url = `${account}${resource}.json?${new URLSearchParams(query)}`
      return readJsonAnswer(await egress.request({ url, method: 'GET', headers: { authorization }, ...bounds }))
    },
    close: () => egress.close(),
  }
}
