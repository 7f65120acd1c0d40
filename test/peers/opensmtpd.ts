import { startInRoot } from './in-root.ts'
import type { Peer, Place } from './peer.ts'
import { unpackDebian } from './programs.ts'

const domain = 'opensmtpd.test'

export function fetchOpenSmtpd(): Promise<string> {
  return unpackDebian('opensmtpd')
}

/** Starts OpenSMTPD, whose reports of what it could not deliver have the reason in the text for people only. */
export async function startOpenSmtpd(place: Place): Promise<Peer> {
  return startInRoot(place, {
    domain,
    program: await fetchOpenSmtpd(),
    users: ['opensmtpd', 'opensmtpq'],
    files: {
      'smtpd.conf': configuration(place),
      boxes: `^(ada|spam).*@${domain}$\n`,
      gone: `^gone.*@${domain}$\n`,
      later: '^later\n',
      'refuse-spam.pl': refuseSpam,
    },
    start: `
      mkdir -p /var/lib/opensmtpd/empty /var/spool/smtpd
      chmod 711 /var/spool/smtpd
      hostname=mx.${domain}
      echo $hostname > /etc/mailname
      cp /peer/smtpd.conf /etc/smtpd.conf
      chmod 600 /etc/smtpd.conf
      # A report that comes before the hand-over is recorded is refused for now, and the wait of OpenSMTPD is 400 s.
      (while sleep 2; do smtpctl schedule all; done) > /dev/null 2>&1 &
      exec smtpd -d
    `,
  })
}

function configuration({ address, port, returns, nextPort }: Place): string {
  const roads = Object.entries(returns)
  return `${[
    'table boxes file:/peer/boxes',
    'table gone file:/peer/gone',
    'table later file:/peer/later',
    'filter later phase rcpt-to match rcpt-to regex <later> reject "451 4.2.0 come again"',
    'filter spam proc-exec "/usr/bin/perl /peer/refuse-spam.pl"',
    'filter all chain { later, spam }',
    `listen on ${address} port ${port} hostname mx.${domain} filter all`,
    'action kept maildir "/peer/kept" virtual { "@" = mailbox }',
    `action next relay host smtp://127.0.0.1:${nextPort}`,
    ...roads.map(([name, at]) => `action "${name}" relay host smtp://127.0.0.1:${at}`),
    ...roads.map(([name]) => `match from any for domain "${name}" action "${name}"`),
    'match from any for rcpt-to regex <gone> action next',
    'match from any for rcpt-to regex <boxes> action kept',
  ].join('\n')}\n`
}

/** A filter of OpenSMTPD, which sees a recipient before the text is complete, and can refuse the text then. */
const refuseSpam = `
$| = 1;
while (<STDIN>) {
  chomp;
  my ($kind, $version, $at, $subsystem, $phase, $session, $token, $value) = split /\\|/;
  if (/^config\\|ready/) {
    print "register|filter|smtp-in|$_\\n" for ("rcpt-to", "commit");
    print "register|ready\\n";
  }
  next if $kind ne "filter";
  $spam{$session} = 1 if $phase eq "rcpt-to" && $value =~ /^<?spam/;
  my $refused = $phase eq "commit" && delete $spam{$session};
  print "filter-result|$session|$token|", $refused ? "reject|550 5.7.1 looks like spam" : "proceed", "\\n";
}
`
