import { parseExactly } from '../../../src/platform/numbers/exact-number.ts'
import type { Call } from '../call.ts'
import { limitOfUpload } from '../client.ts'
import { confirm } from '../confirm.ts'
import { usageFailure } from '../failure.ts'
import { readJson } from '../fields.ts'
import { visibleJson } from '../output/visible.ts'
import { showText } from '../perform.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

const sendsToMany = /^\/v1\/(broadcasts\/[^/]+\/send|(emails|sms)\/batch)\/?(\?|$)/

/** Requests any path, and shows the answer as it comes. Asks before it deletes or sends to many, as the commands do. */
export async function requestApi(call: Call): Promise<undefined> {
  const { words, values, io } = call
  const [given = '', path = ''] = words
  const method = given.toUpperCase()
  if (!methods.includes(method)) throw usageFailure(`The method is ${methods.join(', ')}; it was "${given}".`)
  // The key goes to the server of the profile only.
  if (!path.startsWith('/')) throw usageFailure(`The path begins with a slash, such as /v1/emails; it was "${path}".`)
  if (method === 'GET' && values.data !== undefined)
    throw usageFailure('A GET takes no --data: write what it asks for into the path, as ?name=value.')
  const data = values.data === undefined ? undefined : await readJson(io, String(values.data), '--data')
  if (method === 'DELETE') await confirm(call, `Delete ${path}?`)
  else if (method === 'POST' && sendsToMany.test(path)) await confirm(call, `Send to many with ${path}?`)
  const key = values['idempotency-key']
  const bytes = await call.client().run<Uint8Array>(
    { method, path, reads: 'bytes', ...(data !== undefined && { body: data }) },
    {
      ...limitOfUpload(JSON.stringify(data ?? '').length),
      ...(key !== undefined && { idempotencyKey: String(key) }),
    },
  )
  showBytes(call, bytes)
}

function showBytes(call: Call, bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('utf8')
  const value = parsed(text)
  if (value !== undefined) call.show(value, () => `${visibleJson(value, 2)}\n`)
  else if (call.json || call.io.outIsTerminal) showText(call, text)
  else call.io.out(bytes)
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}
