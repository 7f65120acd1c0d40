import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { readConfig } from '../config.ts'

const path = '/.well-known/security.txt'

test('the contact an operator names is served as RFC 9116 has it, and expires within a year', async () => {
  const posthorn = await createTestApp({ SECURITY_CONTACT: 'mailto:security@example.com' })
  const answer = await posthorn.anyone.get(path)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  const fields = new Map(
    answer.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  )
  assert.equal(fields.get('Contact'), 'mailto:security@example.com')
  assert.equal(fields.get('Canonical'), `http://localhost:3000${path}`)
  assert.equal(fields.get('Preferred-Languages'), 'en')
  const days = (Date.parse(fields.get('Expires')!) - posthorn.clock.now().getTime()) / 86_400_000
  assert.ok(days > 170 && days < 365)
})

test('without a contact there is no such file', async () => {
  const posthorn = await createTestApp()
  assert.equal((await posthorn.anyone.get(path)).status, 404)
})

test('a contact is a mailto: or https: address and nothing else', () => {
  assert.equal(
    readConfig({ SECURITY_CONTACT: 'https://example.com/security' }).securityContact,
    'https://example.com/security',
  )
  for (const wrong of [
    'security@example.com',
    'http://example.com',
    'mailto:',
    'mailto:a@b.example\nContact: x',
    'javascript:x',
  ])
    assert.throws(() => readConfig({ SECURITY_CONTACT: wrong }), /SECURITY_CONTACT must be a mailto: or https: address/)
})
