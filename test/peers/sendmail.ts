import { mailboxId, startInRoot } from './in-root.ts'
import type { Peer, Place } from './peer.ts'
import { unpackDebian } from './programs.ts'

const domain = 'sendmail.test'

export function fetchSendmail(): Promise<string> {
  return unpackDebian('sendmail-bin', ['sendmail-base', 'sendmail-cf', 'm4'])
}

/** Starts Sendmail, whose reports have a status that says less than the diagnostic beside it. */
export async function startSendmail(place: Place): Promise<Peer> {
  return startInRoot(place, {
    domain,
    program: await fetchSendmail(),
    users: ['smmta', 'smmsp'],
    files: { 'sendmail.mc': configuration(place) },
    start: `
      mkdir -p /etc/mail /var/spool/mqueue /run/sendmail/mta
      echo 'hosts files' > /etc/mail/service.switch
      echo 'aliases files' >> /etc/mail/service.switch
      # It waits for a minute if it finds no full name of the machine.
      echo "127.0.0.1 mx.${domain} $(hostname)" > /etc/hosts
      : > /etc/mail/local-host-names
      : > /etc/mail/relay-domains
      m4 /usr/share/sendmail/cf/m4/cf.m4 /peer/sendmail.mc > /etc/mail/sendmail.cf
      printf '#!/bin/sh\\ncat > /tmp/$$ && mv /tmp/$$ /peer/kept/$$.$(date +%%N)\\n' > /tmp/keep
      chmod 755 /tmp/keep
      # A report that comes before the hand-over is recorded is refused for now.
      exec /usr/libexec/sendmail/sendmail -bD -q2s -X /peer/log/traffic
    `,
  })
}

function configuration({ address, port, returns, nextPort }: Place): string {
  const defined = (name: string, value: string) => `define(\`${name}', \`${value}')dnl`
  const roads = Object.entries(returns).map(([name, at], index) => ({ mailer: `return${index}`, name, at }))
  const tokens = (name: string) => name.replaceAll('.', ' . ')
  /** A rule. Its sides are parted by a tab; the name of a domain may end with a dot. */
  const at = (name: string) => `< @ ${tokens(name)} $* > $*`
  const mailer = (name: string, to: number) =>
    `M${name}, P=[IPC], F=mDFMuX, S=EnvFromSMTP/HdrFromSMTP, R=EnvToSMTP, E=\\r\\n, L=990, T=DNS/RFC822/SMTP, A=TCP $h ${to}`
  return `${[
    'divert(0)dnl',
    "OSTYPE(`linux')dnl",
    defined('confDOMAIN_NAME', `mx.${domain}`),
    defined('confSERVICE_SWITCH_FILE', '/etc/mail/service.switch'),
    defined('confTO_IDENT', '0'),
    defined('confMIN_QUEUE_AGE', '0'),
    // It would refuse connections on a busy machine.
    ...['confQUEUE_LA', 'confREFUSE_LA', 'confDELAY_LA'].map((name) => defined(name, '1000')),
    ...['no_default_msa', 'accept_unresolvable_domains', 'nocanonify', 'promiscuous_relay'].map(
      (name) => `FEATURE(\`${name}')dnl`,
    ),
    `DAEMON_OPTIONS(\`Name=MTA, Addr=${address}, Port=${port}')dnl`,
    "MAILER(`smtp')dnl",
    'MAILER_DEFINITIONS',
    `Mkept, P=/tmp/keep, F=lsDFMuq, S=EnvFromL, R=EnvToL, T=DNS/RFC822/X-Unix, U=${mailboxId}:${mailboxId}, A=keep $u`,
    mailer('next', nextPort),
    ...roads.map((road) => mailer(road.mailer, road.at)),
    'LOCAL_RULE_0',
    `Rgone . $* ${at(domain)}\t$#next $@ [127.0.0.1] $: gone . $1 < @ ${tokens(domain)} $2 > $3`,
    ...['ada', 'spam', 'later'].map((name) => `R${name} . $* ${at(domain)}\t$#kept $@ ${domain} $: ${name} . $1`),
    `R$* ${at(domain)}\t$#error $@ 5.1.1 $: "550 no such mailbox"`,
    ...roads.map((r) => `R$* ${at(r.name)}\t$#${r.mailer} $@ [127.0.0.1] $: $1 < @ ${tokens(r.name)} $2 > $3`),
    'LOCAL_RULESETS',
    'SLocal_check_rcpt',
    'R$*\t$: $>canonify $1',
    'Rlater . $* < @ $* > $*\t$#error $@ 4.2.0 $: "451 come again"',
    'HTo: $>CheckTo',
    'SCheckTo',
    'R$* spam . $*\t$#error $@ 5.7.1 $: "553 looks like spam"',
  ].join('\n')}\n`
}
