import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createHostsFile, parseHosts } from './hosts-file.ts'
import { parseSearch } from './search.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-names-'))
after(() => rmSync(folder, { recursive: true }))

test('the hosts file gives the addresses of a name, IPv4 first', async () => {
  const path = join(folder, 'hosts')
  writeFileSync(path, '# none\n::1 relay\n10.0.0.7\tRelay relay.internal # the relay\nnonsense relay\n\n')
  const hosts = createHostsFile(path)
  assert.deepEqual(await hosts.find('relay'), ['10.0.0.7', '::1'])
  assert.deepEqual(await hosts.find('relay.internal.'), ['10.0.0.7'])
  assert.deepEqual(await hosts.find('constructor'), [])
})

test('localhost is this machine, with or without a hosts file', async () => {
  const hosts = createHostsFile(join(folder, 'none'))
  for (const name of ['localhost', 'api.localhost']) assert.deepEqual(await hosts.find(name), ['127.0.0.1', '::1'])
  const listed = parseHosts('127.0.0.9 localhost')
  assert.deepEqual(listed.get('localhost'), ['127.0.0.9'])
})

test('the last line with a search list counts', () => {
  assert.deepEqual(parseSearch('nameserver 10.0.0.1\n'), [])
  const text = 'domain old.test\nsearch default.svc.cluster.local  svc.cluster.local.\noptions ndots:5\n'
  assert.deepEqual(parseSearch(text), ['default.svc.cluster.local', 'svc.cluster.local'])
})
