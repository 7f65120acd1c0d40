import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOf } from './database-of.ts'

test('a database is named without user and password', () => {
  const dataDir = '/srv/data'
  const cases: [url: string | null, name: string][] = [
    [null, 'the embedded database in /srv/data'],
    ['postgres://posthorn:secret@db.example:6432/mail', 'the database mail on db.example:6432'],
    ['postgres://posthorn:secret@localhost/mail?host=/run/postgresql', 'the database mail on /run/postgresql'],
    ['postgres:///mail', 'the database mail on localhost'],
  ]
  for (const [databaseUrl, name] of cases) assert.equal(databaseOf({ databaseUrl, dataDir }), name)
})
