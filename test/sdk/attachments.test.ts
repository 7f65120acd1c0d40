import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Posthorn } from '../../sdk/src/index.ts'

/** Sends an attachment of this content, and returns the base64 that left, or the error. */
async function sendContent(content: unknown): Promise<{ sent: string[]; refused: string | undefined }> {
  const sent: string[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init!.body)).attachments[0].content)
    return Response.json({})
  }
  const email = { from: 'a@b.test', to: 'c@d.test', subject: '', text: '' }
  const attachments = [{ filename: 'invoice.pdf', content: content as string }]
  const { error } = await new Posthorn('k', { fetch }).emails.send({ ...email, attachments }).result()
  return { sent, refused: error?.message }
}

test('the content of an attachment may be bytes of each class, and a Blob of any package', async () => {
  const bytes = new Uint8Array([0, 1, 2, 255])
  const blobOfPackage = { arrayBuffer: async () => bytes.buffer }
  const contents = [bytes, bytes.buffer, Buffer.from(bytes), new DataView(bytes.buffer), new Blob([bytes])]
  const wide = new Uint16Array(bytes.buffer)
  const part = new Uint8Array([9, ...bytes, 9]).subarray(1, 5)
  for (const content of [...contents, blobOfPackage, wide, part])
    assert.deepEqual(await sendContent(content), { sent: ['AAEC/w=='], refused: undefined })
})

test('an attachment whose content is missing or of another kind is refused before anything is sent', async () => {
  const queued = JSON.parse(JSON.stringify(Buffer.from('invoice')))
  for (const content of [undefined, null, 12345, queued, new ReadableStream(), [1, 2]]) {
    const { sent, refused } = await sendContent(content)
    assert.deepEqual(sent, [])
    assert.match(refused!, /^attachments\[0\]\.content is of the kind \w+: give bytes, a Blob or base64\.$/)
  }
})

test('a fetch that refuses to be a method of another object is called as a function', async () => {
  const native = async function (this: unknown) {
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation')
    return Response.json({ ok: true })
  }
  assert.deepEqual(await new Posthorn('k', { fetch: native, retries: 0 }).request('GET', '/v1/x'), { ok: true })
})
