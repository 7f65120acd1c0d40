import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, testServer } from '../../test/database.ts'
import { copyOut } from './copy.ts'

test('a connection answers the next statement after a copy that ended while its reader was behind', async () => {
  const database = await createTestDatabase(await testServer())
  const client = new pg.Client(database.config)
  await client.connect()
  try {
    // One row fills the buffers at once, and the end of the copy comes with it.
    const copied = copyOut(client, "copy (select repeat('x', 600000)) to stdout")
    let bytes = 0
    for await (const block of copied.data) bytes += block.length
    assert.deepEqual([bytes, copied.rows()], [600_001, 1])
    const { rows } = await client.query('select 1 as answer')
    assert.deepEqual(rows, [{ answer: 1 }])
  } finally {
    await client.end()
    await database.drop()
  }
})
