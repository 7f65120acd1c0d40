import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, createWorkshop } from './installation.ts'

const workshop = await createWorkshop()

const draftsCount = 160
const roundsCount = 2

test('160 drafts of 1 MB, listed four at a time with a sending key, do not end a server with a heap of 384 MB', async () => {
  const { first, key } = await workshop.install({ NODE_OPTIONS: '--max-old-space-size=384' })
  const make = async (path: string, body: object) => {
    const made = await call(first, key, 'POST', path, body)
    assert.ok(made.status < 300, JSON.stringify(made))
    return made.body as { id: string; key: string }
  }
  const { key: sendingKey } = await make('/v1/api-keys', { name: 'Sender', permission: 'sending_access' })
  const { id: segmentId } = await make('/v1/segments', { name: 'Readers' })
  const draft = {
    name: 'June',
    from: 'a@sandbox.test',
    segmentId,
    subject: 'News',
    html: 'x'.repeat(1_000_000),
    text: 'x',
  }
  for (let index = 0; index < draftsCount; index++) await make('/v1/broadcasts', draft)

  for (let round = 0; round < roundsCount; round++) {
    const walks = await Promise.allSettled([1, 2, 3, 4].map(() => walk(sendingKey)))
    const sizes = walks.map((result) => (result.status === 'fulfilled' ? result.value.size : String(result.reason)))
    assert.deepEqual(sizes, Array(4).fill(draftsCount), first.output().slice(-2000))
  }
  assert.equal(first.child.exitCode, null)
  assert.equal((await fetch(`${first.url}/health`)).status, 200)

  /** Reads the whole list as a client does; a client without paging stops after the first answer. */
  async function walk(withKey: string): Promise<Set<string>> {
    const ids = new Set<string>()
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const answer = await call(first, withKey, 'GET', `/v1/broadcasts${cursor && `?cursor=${cursor}`}`)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const page = answer.body as { data: { id: string }[]; cursor?: string | null }
      for (const { id } of page.data) ids.add(id)
      cursor = page.cursor ?? undefined
    }
    return ids
  }
})
