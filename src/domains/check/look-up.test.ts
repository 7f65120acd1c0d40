import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDnsServer } from '../../../test/dns.ts'
import { promptMs } from '../../../test/patience.ts'
import { recordsOf } from '../records.ts'
import { lookUpRecords } from './look-up.ts'

const dns = await startDnsServer()

const key = Buffer.alloc(294, 'key').toString('base64')
const keys = { dkim_selector: 'posthorn' as const, dkim_next_public_key: null, dkim_old_public_key: null }
const settings = { ...keys, custom_return_path: null, click_tracking: true, open_tracking: false, record_statuses: {} }
const targets = { host: 'mail.example.com', spf: 'a:mail.example.com', mx: 'mail.example.com' }
const records = recordsOf({ ...settings, name: 'shop.com', dkim_public_key: key }, targets)
const everyRecord = (finding: string) => ({ dkim: finding, spf: finding, mx: finding, tracking: finding })

const ask = () => lookUpRecords(records, { servers: [dns.address] })

test('published records are found, including a key longer than one string', async () => {
  dns.publish(records)
  assert.deepEqual(await ask(), everyRecord('found'))
})

test('names that do not exist, and names without such a record, are missing', async () => {
  dns.publish([])
  assert.deepEqual(await ask(), everyRecord('missing'))
  dns.publish(records.map(({ name }) => ({ type: 'txt', name, value: 'something else' })))
  assert.deepEqual(await ask(), everyRecord('missing'))
})

test('a DNS that fails counts as no answer', async () => {
  dns.become('failing')
  assert.deepEqual(await ask(), everyRecord('unanswered'))
  dns.become('answering')
})

test('a lookup of a silent DNS ends in the time allowed', async () => {
  dns.become('silent')
  const begun = performance.now()
  assert.deepEqual(await lookUpRecords(records, { servers: [dns.address], timeoutMs: 150 }), everyRecord('unanswered'))
  assert(performance.now() - begun < promptMs)
  dns.become('answering')
})
