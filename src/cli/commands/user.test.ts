import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import { slowTest } from '../../../test/slow.ts'
import { createCommandLine, type Ended } from '../fixtures/command-line.ts'

const { posthorn, run, launch } = await createCommandLine()
// Commands use the machine's clock.
posthorn.clock.set(new Date())
const { anyone, clock } = posthorn
const password = 'a long and winding road'
const hourMs = 3_600_000

const create = async (...args: string[]) => linkOf(await run('user', 'create', ...args))

function linkOf(made: Ended) {
  assert.equal(made.code, 0, made.stderr)
  const token = /\/app\/reset#token=([\w-]{43})$/m.exec(made.stdout)?.[1] ?? assert.fail(made.stdout)
  return { token, stdout: made.stdout }
}

function reset(token: string, chosen = password) {
  return anyone.post('/auth/password/reset', { token, password: chosen })
}

slowTest(
  'an operator makes an account beside a running server, and its owner sets the password once by the link',
  async () => {
    const { token, stdout } = linkOf(
      await launch('user', 'create', 'Ada@example.com', '--team', 'Engines', '--plan', 'pro'),
    )
    assert.match(
      stdout,
      /^Ada@example\.com has an account, with the team Engines \([0-9a-f-]{36}\) on the plan pro, in the database \w+ on \S+\.\n/,
    )
    assert.match(stdout, /^The link that sets the password works once, within 24 hours:$/m)
    assert.ok(stdout.includes(`http://localhost:3000/app/reset#token=${token}\n`))
    const login = () => anyone.post('/auth/login', { email: 'ada@example.com', password })
    assert.equal((await login()).status, 401)
    for (const weak of ['password1', 'short']) {
      const refused = await reset(token, weak)
      assert.deepEqual(
        [refused.status, refused.body.errors[0].path],
        [400, 'password'],
        'the link is not used up by it',
      )
    }
    const racing = await Promise.all([reset(token), reset(token), reset(token)])
    assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 400, 400])
    assert.deepEqual(racing.find(({ status }) => status === 200)?.body, { reset: true })
    assert.equal(racing.find(({ status }) => status === 400)?.body.name, 'invalid_token')
    const { status, body } = await login()
    assert.deepEqual(
      [status, body.user.email, body.team.name, body.team.plan],
      [200, 'Ada@example.com', 'Engines', 'pro'],
    )
    const { body: subscription } = await posthorn.as(body.accessToken).get('/v1/billing/subscription')
    assert.equal(subscription.smsCreditCentsRemaining, subscription.monthlySmsCreditCents)
    const row = await posthorn.app.db
      .selectFrom('users')
      .select('email_verified_at')
      .where('email_lower', '=', 'ada@example.com')
      .executeTakeFirstOrThrow()
    assert.ok(row.email_verified_at, 'the link proves the address')
  },
)

test('a link is valid for 24 hours, and an unknown token is answered like a used one', async () => {
  const { token } = await create('grace@example.com')
  clock.set(new Date())
  clock.advance(24 * hourMs + 1000)
  const late = await reset(token)
  assert.deepEqual([late.status, late.body.name], [400, 'invalid_token'])
  assert.deepEqual((await reset('made-up')).body, late.body)
  // The app started with a clock that is years ahead, and its schedules follow that clock.
  clock.set('2031-01-01T00:00:00Z')
  await posthorn.runDueJobs()
  const left = await posthorn.app.db.selectFrom('account_tokens').select('user_id').execute()
  assert.deepEqual(left, [])
  clock.set(new Date())
})

test('a reset ends every session of the account, and is stored as a hash', async () => {
  const { token } = await create('linus@example.com')
  const { body: other } = await anyone.post('/auth/signup', { email: 'other@example.com', password })
  const row = await posthorn.app.db.selectFrom('account_tokens').selectAll().executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(row).includes(token))
  // Gives the account sessions, as if it had been in use.
  await posthorn.app.db.updateTable('refresh_tokens').set({ user_id: row.user_id }).execute()
  assert.equal((await reset(token)).status, 200)
  assert.equal((await anyone.post('/auth/refresh', { refreshToken: other.refreshToken })).status, 401)
})

test('a command that fails says why in a sentence', async () => {
  await create('taken@example.com')
  const calls: [code: number, message: RegExp, args: string[]][] = [
    [1, /an account with the address TAKEN@example\.com exists already/, ['TAKEN@example.com']],
    [2, /^EMAIL must be given\.\n\nUsage: posthorn user create EMAIL\n[\s\S]*--plan free\|pro[\s\S]*PUBLIC_URL/, []],
    [2, /^The command has no option --colour; it has --team, --plan\./, ['new@example.com', '--colour']],
    [2, /^--team needs a value\./, ['new@example.com', '--team', '--plan', 'pro']],
    [2, /^The command takes EMAIL only; there is also "b@example\.com"\./, ['a@example.com', 'b@example.com']],
    [2, /^There is no plan "gold"; the plans are free, pro/, ['new@example.com', '--plan', 'gold']],
    [2, /"no address" must be an email address/, ['no address']],
    [2, /The name of the team/, ['new@example.com', '--team', '']],
    [2, /The name of the team must not be blank/, ['new@example.com', '--team', ' ']],
    [2, /The name of the team must not hold the character U\+202E/, ['new@example.com', '--team', 'Engines\u202e']],
  ]
  await Promise.all(
    calls.map(async ([code, message, args]) => {
      const answer = await run('user', 'create', ...args)
      assert.deepEqual([answer.code, answer.stdout], [code, ''], answer.stderr)
      assert.match(answer.stderr, message)
    }),
  )
})

test('an operator gives a link that sets a new password, which ends sessions and keeps two-factor and API keys', async () => {
  const { body } = await anyone.post('/auth/signup', { email: 'lost@example.com', password })
  const api = posthorn.as(body.accessToken)
  const key = await api.post('/v1/api-keys', { name: 'mine' })
  const setup = await api.post('/auth/2fa/setup')
  const authenticator = URI.parse(setup.body.otpauthUrl) as TOTP
  const code = authenticator.generate({ timestamp: clock.now().getTime() })
  assert.equal((await api.post('/auth/2fa/verify', { code })).status, 200)
  const older = linkOf(await run('user', 'reset-link', 'Lost@Example.com'))
  const { token, stdout } = linkOf(await run('user', 'reset-link', 'lost@example.com'))
  assert.ok(!stdout.includes('Two-factor'))
  assert.equal((await reset(older.token)).body.name, 'invalid_token')
  assert.equal((await reset(token, 'another winding road')).status, 200)
  assert.equal((await api.get('/auth/me')).status, 401)
  assert.equal((await posthorn.as(key.body.key).get('/v1/rate-limits')).status, 200)
  const login = () => anyone.post('/auth/login', { email: 'lost@example.com', password: 'another winding road' })
  assert.equal((await login()).body.name, 'two_factor_required')
  const removed = await run('user', 'reset-link', 'lost@example.com', '--remove-two-factor')
  assert.match(removed.stdout, /^Two-factor is off now\.\n/)
  const { body: session } = await login()
  const { body: audit } = await posthorn.as(session.accessToken).get('/v1/audit?target=lost@example.com')
  const made = audit.data.filter(({ actor }: { actor: { type: string } }) => actor.type === 'operator')
  assert.deepEqual(made.map(({ action }: { action: string }) => action).sort(), [
    'two_factor.disabled',
    'user.reset_link_created',
    'user.reset_link_created',
    'user.reset_link_created',
  ])
})

test('an operator lists the accounts', async () => {
  const { body } = await anyone.post('/auth/signup', { email: 'list@example.com', password, teamName: 'Lists' })
  const { code, stdout } = await run('user', 'list')
  assert.equal(code, 0)
  const fields = [body.user.id, 'list@example.com', 'unverified', '-', 'Lists (owner)', '-']
  assert.ok(stdout.split('\n').includes(fields.join('\t')), stdout)
})

test('a reset link for an unknown account, or without one, is refused', async () => {
  const unknown = await run('user', 'reset-link', 'nobody@example.com')
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /there is no account with the address nobody@example\.com/)
  for (const [fault, ...args] of [
    ['EMAIL must be given.'],
    ['The command takes EMAIL only; there is also "c@d.test".', 'a@b.test', 'c@d.test'],
    ['The command has no option --colour; it has --remove-two-factor.', 'a@b.test', '--colour'],
    ['--remove-two-factor takes no value; it was "yes".', 'a@b.test', '--remove-two-factor=yes'],
  ] as const) {
    const { code, stderr } = await run('user', 'reset-link', ...args)
    assert.deepEqual([code, stderr.split('\n')[0]], [2, fault])
  }
})
