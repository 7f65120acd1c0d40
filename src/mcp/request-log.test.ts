import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../requests/fixtures/log.ts'

const { member } = await openLog()

test('the request that a tool makes is in the request log beside the message, with the key and the address', async () => {
  const { key, keyId, list } = await member()
  const call = { name: 'get_email', arguments: { id: '01890a5d-ac96-774b-bcce-b302099a8057' } }
  const answer = await key.post('/mcp?allow_to=ada@example.com', {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  })
  const { requestId } = answer.body.result.structuredContent
  const { data } = await list(`apiKeyId=${keyId}`)
  const shown = data.map((entry: Record<string, unknown>) => [entry.method, entry.path, entry.status, entry.address])
  assert.deepEqual(shown.toSorted(), [
    ['GET', `/v1/emails/${call.arguments.id}`, 404, '127.0.0.1'],
    ['POST', '/mcp', 200, '127.0.0.1'],
  ])
  assert.ok(data.some((entry: Record<string, unknown>) => entry.requestId === requestId))
})
