import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasDkimKey, hasHost, hasSpfMechanisms } from './compare-records.ts'

const dkim = 'v=DKIM1; k=rsa; p=MIIBIjAN+/AQ=='

test('a DKIM record is recognized by its key, in any order of tags and with blanks', () => {
  const same = [
    dkim,
    'p=MIIBIjAN+/AQ==',
    'k=rsa;p=MIIB IjAN\t+/AQ==;v=DKIM1;',
    ' v=DKIM1 ;\r\n t=s; k = rsa ; p = MIIBIjAN+/AQ== ',
  ]
  for (const text of same) assert(hasDkimKey([text], dkim), text)
  assert(hasDkimKey(['something else', dkim], dkim))
})

test('another key, a revoked key, or a key of another kind is not accepted', () => {
  const others = [
    '',
    'v=DKIM1',
    'v=DKIM1; k=rsa; p=',
    'v=DKIM1; k=rsa; p=miibijan+/aq==',
    'v=DKIM1; k=ed25519; p=MIIBIjAN+/AQ==',
  ]
  others.push('v=DKIM2; p=MIIBIjAN+/AQ==', 'MIIBIjAN+/AQ==')
  for (const text of others) assert(!hasDkimKey([text], dkim), text)
  assert(!hasDkimKey([], dkim))
})

const spf = 'v=spf1 a:mail.example.com ~all'

test('an SPF record may hold other mechanisms too', () => {
  const same = [
    spf,
    'v=spf1 a:mail.example.com -all',
    'V=SPF1  include:other.example +A:Mail.Example.Com. ?all',
    'v=spf1 a:mail.example.com',
  ]
  for (const text of same) assert(hasSpfMechanisms([text, 'unrelated'], spf), text)
})

test('an SPF record without our mechanism before its end, or a second SPF record, is not accepted', () => {
  const others = [
    '',
    'v=spf1',
    'v=spf1 -all',
    'v=spf1 -all a:mail.example.com',
    'v=spf1 -a:mail.example.com',
    'v=spf1 a:mail.example.com.evil',
  ]
  others.push('v=spf10 a:mail.example.com', 'a:mail.example.com')
  for (const text of others) assert(!hasSpfMechanisms([text], spf), text)
  assert(!hasSpfMechanisms([spf, 'v=spf1 -all'], spf))
  assert(!hasSpfMechanisms([], spf))
})

test('hosts are compared without case and without the dot at their end', () => {
  assert(hasHost(['other.example', 'MAIL.example.com.'], 'mail.example.com'))
  assert(!hasHost(['xmail.example.com'], 'mail.example.com'))
  assert(!hasHost([], 'mail.example.com'))
})
