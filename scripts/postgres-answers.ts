import pg from 'pg'

/** Exits with 0 if a PostgreSQL answers at the URL and lets the tests make databases, and with 1 otherwise. */
const [connectionString] = process.argv.slice(2)
const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3000 })
try {
  await client.connect()
  await client.query('create database posthorn_ci_probe')
  await client.query('drop database posthorn_ci_probe')
} catch {
  process.exitCode = 1
}
await client.end().catch(() => undefined)
