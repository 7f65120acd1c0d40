import { databaseUrl } from './environment/database-url.ts'
import * as kind from './environment/parsers.ts'
import type { Settings } from './environment/settings.ts'

export const server = {
  port: { variable: 'PORT', kind: kind.port, default: '3000', about: 'HTTP port; `0` picks a free one.' },
  host: {
    variable: 'HOST',
    kind: kind.host,
    default: '127.0.0.1',
    about: 'Address that HTTP listens on, and the SMTP ports without `SMTP_LISTEN`.',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    kind: kind.webUrl,
    unset: '`http://localhost:PORT`',
    about: "Base of links in mail, and the host that domains' DNS records point to.",
  },
  trial: {
    variable: 'TRIAL',
    kind: kind.oneOf('on', 'off'),
    default: 'off',
    about:
      'Without it a server counts as production if `HOST`, `SMTP_LISTEN` or `PUBLIC_URL` is not loopback, or a provider is not `capture`. `on` keeps the defaults of a trial, in which anyone who reaches the server can sign up and take any plan.',
  },
  roles: {
    variable: 'ROLES',
    kind: kind.setOf('api', 'worker', 'smtp'),
    default: 'api,worker,smtp',
    about: 'The work of this process.',
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    kind: kind.cidrs,
    default: '',
    about:
      'Addresses of proxies whose `X-Forwarded-For` is trusted. Without it all clients behind a proxy share one limit.',
  },
  publicRequestsPerMinute: {
    variable: 'PUBLIC_REQUESTS_PER_MINUTE',
    kind: kind.positiveInteger,
    default: '600',
    about: 'Limit of requests without a key, for each client address. Exact across processes with `REDIS_URL` only.',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    kind: kind.urlOf('redis[s]://user:pass@host:port/n', 'redis:', 'rediss:'),
    unset: 'counted in memory',
    about:
      'Counts requests a minute for several processes together. Without it, and while it cannot be reached, each process ' +
      'counts alone and allows the whole limit. All other limits of plans need no Redis.',
  },
  dnsServers: {
    variable: 'DNS_SERVERS',
    kind: kind.dnsServers,
    default: '',
    unset: "the system's",
    about:
      "Asked for domains' records, recipients' mail hosts and hosts of outgoing calls. The system's servers are asked for hosts that these do not know.",
  },
  outboundAllow: {
    variable: 'OUTBOUND_ALLOW',
    kind: kind.cidrs,
    default: '',
    about: 'Private addresses that may be reached on behalf of customers, on every port.',
  },
  metricsToken: {
    variable: 'METRICS_TOKEN',
    kind: kind.token,
    about:
      'The Bearer token for `/metrics`. Without it `/metrics` in production answers requests of this machine only.',
  },
  securityContact: {
    variable: 'SECURITY_CONTACT',
    kind: kind.contact,
    about: 'Contact for reports of vulnerabilities, served at `/.well-known/security.txt`.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    kind: kind.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    about: 'The least severe entries that are logged, on stdout.',
  },
  logFormat: {
    variable: 'LOG_FORMAT',
    kind: kind.oneOf('json', 'text'),
    unset: '`text` on a terminal, else `json`',
    about: '`json` writes a JSON object for each entry, `text` a readable line.',
  },
  jobLeaseMs: {
    variable: 'JOB_LEASE',
    // Shorter ones end in a pause of a busy process. With longer ones the mail of a dead process waits for minutes.
    kind: kind.durationFrom(5000, 300_000, 'from 5s to 5m'),
    default: '30s',
    about:
      'The time after which another process takes over the work of one that died. The same in all processes. What the dead ' +
      'one had accepted is sent at most 15 seconds later: within 45 seconds with `30s`, within 315 with `5m`.',
  },
  requestLog: {
    variable: 'REQUEST_LOG',
    kind: kind.oneOf('on', 'off'),
    default: 'on',
    about: '`off` keeps no requests for `GET /v1/requests`.',
  },
  clientAddresses: {
    variable: 'CLIENT_ADDRESSES',
    kind: kind.oneOf('whole', 'networks'),
    default: 'whole',
    about:
      "`networks` keeps of a client's address its network only (/24 of IPv4, /48 of IPv6): in the request log, the audit log, sessions, and events of openings and clicks.",
  },
  dashboard: {
    variable: 'DASHBOARD',
    kind: kind.oneOf('on', 'off'),
    default: 'on',
    about: '`off` serves the API without the pages under `/app`.',
  },
  quickstart: {
    variable: 'POSTHORN_QUICKSTART',
    kind: kind.oneOf('on', 'off'),
    default: 'on',
    about:
      '`off` creates no account at the first start. None is created either with `DATABASE_URL`, in production, or with a `HOST` or `SMTP_LISTEN` that other machines can reach: `npx posthorn user create EMAIL` makes one.',
  },
} satisfies Settings

export const storage = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    kind: databaseUrl,
    unset: 'embedded in `DATA_DIR`',
    about:
      'PostgreSQL 15 or newer with the encoding UTF8, directly or through a pooler in session mode. `?sslmode=verify-full` encrypts: [database.md](database.md).',
  },
  dataDir: {
    variable: 'DATA_DIR',
    kind: kind.text,
    default: './data',
    about: 'Folder of the embedded database, its password, and generated secrets.',
  },
  appSecret: {
    variable: 'APP_SECRET',
    kind: kind.longSecret,
    unset: 'generated into `DATA_DIR`; required in production',
    about:
      'Signs tokens and cursors and encrypts stored secrets. Production requires 128 random bits or more (`openssl rand -hex 32`).',
  },
  appSecretPrevious: {
    variable: 'APP_SECRET_PREVIOUS',
    kind: kind.longSecrets,
    default: '',
    about: 'Older secrets that still verify and decrypt: [how to change the secret](decisions/secrets.md).',
  },
} satisfies Settings
