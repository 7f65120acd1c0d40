import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Peer, Place } from './peer.ts'
import { startPeer } from './process.ts'
import { unpackDebian } from './programs.ts'

const domain = 'postfix.test'
/** Accounts that every Debian has. Postfix wants one that owns the queue, and a group of its own. */
const [daemonId, nobodyId] = [1, 65_534]

/**
 * Starts Postfix. With `smtpd_end_of_data_restrictions` it keeps the envelope of a text that it refused. Its processes
 * change to ordinary users, so it can be started by root only.
 */
export async function startPostfix({ address, port, returns, nextPort }: Place): Promise<Peer> {
  if (userInfo().uid !== 0) throw new Error('Postfix is started by root only.')
  const program = await unpackDebian('postfix')
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-postfix-'))
  const [etc, queue, data, mail] = ['etc', 'queue', 'data', 'mail'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [etc, queue, data, mail, join(queue, 'pid')]) mkdirSync(path)
  for (const path of [folder, etc]) chmodSync(path, 0o755)
  for (const name of [
    'active',
    'bounce',
    'corrupt',
    'defer',
    'deferred',
    'flush',
    'hold',
    'incoming',
    'private',
    'trace',
    'saved',
    'maildrop',
    'public',
  ]) {
    mkdirSync(join(queue, name))
    chownSync(join(queue, name), daemonId, 0)
  }
  chownSync(data, daemonId, 0)
  chownSync(mail, nobodyId, nobodyId)
  const map = (name: string, lines: string[]) => {
    writeFileSync(join(etc, name), `${lines.join('\n')}\n`)
    return `regexp:${join(etc, name)}`
  }
  const boxes = map('boxes', [`/^(ada|spam|gone|later).*@${domain}$/ ada/`])
  const transports = map('transports', [
    `/^gone.*@${domain}$/ smtp:[127.0.0.1]:${nextPort}`,
    ...Object.entries(returns).map(([name, at]) => `/@${name}$/ smtp:[127.0.0.1]:${at}`),
  ])
  const spam = map('spam', ['/^spam/ REJECT looks like spam'])
  const later = map('later', ['/^later/ DEFER come again'])
  const library = join(program, 'usr/lib/postfix')
  const lines = {
    compatibility_level: '3.6',
    queue_directory: queue,
    data_directory: data,
    daemon_directory: join(library, 'sbin'),
    command_directory: join(program, 'usr/sbin'),
    shlib_directory: library,
    meta_directory: join(program, 'etc/postfix'),
    mail_owner: 'daemon',
    setgid_group: 'games',
    import_environment: 'MAIL_CONFIG LANG=C LD_LIBRARY_PATH POSTLOG_SERVICE POSTLOG_HOSTNAME',
    maillog_file: join(data, 'log'),
    maillog_file_prefixes: tmpdir(),
    inet_interfaces: 'loopback-only',
    inet_protocols: 'ipv4',
    myhostname: `mx.${domain}`,
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    alias_maps: '',
    local_recipient_maps: '',
    smtp_dns_support_level: 'disabled',
    smtpd_tls_security_level: 'none',
    smtp_tls_security_level: 'none',
    virtual_mailbox_domains: domain,
    virtual_mailbox_base: mail,
    virtual_mailbox_maps: boxes,
    virtual_uid_maps: `static:${nobodyId}`,
    virtual_gid_maps: `static:${nobodyId}`,
    transport_maps: transports,
    smtpd_recipient_restrictions: `check_recipient_access ${later}, permit`,
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_end_of_data_restrictions: `check_recipient_access ${spam}`,
    // A report that comes before the hand-over is recorded is refused for now.
    queue_run_delay: '2s',
    minimal_backoff_time: '2s',
    maximal_backoff_time: '4s',
  }
  writeFileSync(
    join(etc, 'main.cf'),
    Object.entries(lines)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  )
  writeFileSync(join(etc, 'master.cf'), services(address, port))
  const environment = {
    LD_LIBRARY_PATH: `${library}:${join(program, 'usr/lib/x86_64-linux-gnu')}:${join(program, 'usr/lib/aarch64-linux-gnu')}`,
    MAIL_CONFIG: etc,
  }
  const master = join(library, 'sbin/master')
  const logged = () => (existsSync(join(data, 'log')) ? readFileSync(join(data, 'log'), 'utf8') : '')
  const peer = await startPeer(master, ['-c', etc, '-d'], { cwd: folder, env: environment, address, port }).catch(
    (error: Error) => {
      throw new Error(`${error.message}${logged()}`)
    },
  )
  const inbox = join(mail, 'ada/new')
  return {
    domain,
    kept: () => (existsSync(inbox) ? readdirSync(inbox).map((name) => readFileSync(join(inbox, name), 'utf8')) : []),
    log: () => peer.output() + logged(),
    async stop() {
      await peer.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The processes of Postfix that take, deliver and return mail. */
function services(address: string, port: number): string {
  const unix = (name: string, program: string, { isPrivate = '-', wakes = '-', most = '-' } = {}) =>
    `${name} unix ${isPrivate} - n ${wakes} ${most} ${program}`
  return `${[
    `${address}:${port} inet n - n - - smtpd`,
    unix('pickup', 'pickup', { isPrivate: 'n', wakes: '60', most: '1' }),
    unix('cleanup', 'cleanup', { isPrivate: 'n', most: '0' }),
    unix('qmgr', 'qmgr', { isPrivate: 'n', wakes: '2', most: '1' }),
    unix('rewrite', 'trivial-rewrite'),
    ...['bounce', 'defer', 'trace'].map((name) => unix(name, 'bounce', { most: '0' })),
    ...['smtp', 'error'].map((name) => unix(name, name)),
    'virtual unix - n n - - virtual',
    unix('proxymap', 'proxymap'),
    ...['anvil', 'scache'].map((name) => unix(name, name, { most: '1' })),
    'postlog unix-dgram n - n - 1 postlogd',
  ].join('\n')}\n`
}
