import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, testServer } from '../../../test/database.ts'
import { migrate } from './migrate.ts'

test('a start whose search_path begins with another schema than that of the tables is refused', async () => {
  const database = await createTestDatabase(await testServer())
  const client = new pg.Client(database.config)
  await client.connect()
  assert.deepEqual(await migrate(client), [])
  await client.query('create schema later')
  await client.query('set search_path = later, public')
  await assert.rejects(migrate(client), /The tables are in the schema public, .* begins with later\./)
  await client.query('set search_path = public')
  assert.deepEqual(await migrate(client), [])
  await client.end()
  await database.drop()
})
