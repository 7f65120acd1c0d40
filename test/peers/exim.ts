import { startInRoot } from './in-root.ts'
import type { Peer, Place } from './peer.ts'
import { unpackDebian } from './programs.ts'

const domain = 'exim.test'

export function fetchExim(): Promise<string> {
  return unpackDebian('exim4-daemon-light', ['exim4-base'])
}

/** Starts Exim, whose reports of what it could not deliver have the reason in the text for people as well. */
export async function startExim(place: Place): Promise<Peer> {
  return startInRoot(place, {
    domain,
    program: await fetchExim(),
    users: ['Debian-exim'],
    files: { 'exim.conf': configuration(place) },
    start: `
      mkdir -p /var/spool/exim4 /etc/exim4
      chown Debian-exim:Debian-exim /var/spool/exim4
      cp /peer/exim.conf /etc/exim4/exim4.conf
      exec exim4 -bdf -q2s
    `,
  })
}

function configuration({ address, port, returns, nextPort }: Place): string {
  const roads = Object.entries(returns).map(([name, at]) => ({ name: name.replaceAll('.', '_'), domain: name, at }))
  const router = (name: string, conditions: string[]) => [
    `${name}:`,
    'driver = manualroute',
    ...conditions,
    `transport = ${name}`,
    'route_list = * 127.0.0.1',
    'self = send',
  ]
  const transport = (name: string, to: number) => [`${name}:`, 'driver = smtp', `port = ${to}`, 'allow_localhost']
  return `${[
    `primary_hostname = mx.${domain}`,
    'keep_environment =',
    `local_interfaces = ${address}`,
    `daemon_smtp_ports = ${port}`,
    'log_file_path = /peer/log/%slog',
    'tls_advertise_hosts =',
    'host_lookup =',
    'rfc1413_hosts =',
    'smtp_accept_max = 200',
    'acl_smtp_rcpt = rcpt',
    'acl_smtp_data = data',
    'begin acl',
    'rcpt:',
    'defer local_parts = ^later',
    'message = 4.2.0 come again',
    `accept domains = ${domain}`,
    'local_parts = ^(ada|spam|gone)',
    'deny message = 5.1.1 no such mailbox',
    'data:',
    `deny condition = \${if match{$recipients}{^spam}}`,
    'message = 5.7.1 looks like spam',
    'accept',
    'begin routers',
    ...router('next', [`domains = ${domain}`, 'local_parts = ^gone']),
    ...['kept:', 'driver = accept', `domains = ${domain}`, 'transport = kept'],
    ...roads.flatMap((road) => router(road.name, [`domains = ${road.domain}`])),
    'begin transports',
    ...transport('next', nextPort),
    ...['kept:', 'driver = appendfile', 'directory = /peer/kept', 'maildir_format', 'user = mailbox'],
    ...roads.flatMap((road) => transport(road.name, road.at)),
    'begin retry',
    // A report that comes before the hand-over is recorded is refused for now.
    '* * F,1d,2s',
  ].join('\n')}\n`
}
