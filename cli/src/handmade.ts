import type { Command } from './command.ts'
import { sendFlags } from './commands/send-flags.ts'
import { yesFlag } from './confirm.ts'

/** The commands that are more than one operation, in the order of the help. All others are in `verbs.ts`. */
export const handmade: Readonly<Record<string, Command>> = {
  login: {
    summary: 'save the key of a server',
    detail: `Checks the key against the server, and saves both for the next commands. Without --key the key is asked for, or read
from a pipe: others on the machine can see the arguments of a command.`,
    load: async () => (await import('./commands/login.ts')).login,
  },
  logout: {
    summary: 'remove the saved key',
    load: async () => (await import('./commands/login.ts')).logout,
  },
  whoami: {
    summary: 'show the server, the plan and what the key may do',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  profiles: {
    summary: 'list the saved servers',
    isLocal: true,
    load: async () => (await import('./commands/login.ts')).listProfiles,
  },
  send: {
    summary: 'send an email',
    flags: sendFlags,
    load: async () => (await import('./commands/send.ts')).send,
  },
  'inbox show': {
    words: ['ID'],
    summary: 'Show a captured message',
    flags: {
      html: { kind: 'boolean', about: 'Its HTML.' },
      raw: { kind: 'boolean', about: 'The message as it was sent (RFC 5322).' },
    },
    load: async () => (await import('./commands/inbox.ts')).showInboxMessage,
  },
  'domains show': {
    words: ['NAME|ID'],
    summary: 'Show the DNS records of a domain, as a zone file',
    load: async () => (await import('./commands/domains.ts')).showDomain,
  },
  'domains verify': {
    words: ['NAME|ID'],
    summary: 'Check the DNS records of a domain',
    detail: 'With --wait the exit code is 1 unless the domain is verified in the end.',
    flags: { wait: { kind: 'boolean', about: 'Checks until it is decided, for ten minutes at most.' } },
    load: async () => (await import('./commands/domains.ts')).verifyDomain,
  },
  'contacts import': {
    words: ['FILE'],
    summary: 'Import contacts from a CSV file',
    detail: `The first row names the columns, such as email and first_name. Empty cells change nothing; a contact that is known is
updated. Rows that cannot be taken are written to FILE.rejected.csv with the reason; the exit code is 0 all the same.
With --team the command works on the database of the server's own machine: posthorn contacts import FILE.csv --team ID.`,
    flags: { segment: { kind: 'text', value: 'NAME|ID', about: 'Puts every contact into this segment.' } },
    load: async () => (await import('./commands/contacts.ts')).importContacts,
  },
  tail: {
    summary: 'write what happens to emails as it happens',
    detail: 'Needs a key with full_access. With --json each line is an entry of the feed. Ends when it is interrupted.',
    flags: { type: { kind: 'list', value: 'TYPES', about: 'Only these, such as email.bounced,email.complained.' } },
    load: async () => (await import('./live/tail.ts')).tail,
  },
  'webhooks listen': {
    summary: 'Post what webhooks are sent to a program on this machine',
    detail: `Needs a key with full_access, and no webhook. The bodies and headers are those of a webhook, signed with a secret that is the
same each time for the key. While the program is not there, deliveries wait for it, in their order.
With --json each line is {"type": "ready", "signingSecret"} or {"type": "delivery", "event", "id", "status", "ms", "error"}.`,
    flags: {
      'forward-to': { kind: 'text', value: 'URL', about: 'Such as http://localhost:4000/webhooks.' },
      events: { kind: 'list', value: 'TYPES', about: 'Only these, such as email.bounced,email.complained.' },
      format: { kind: 'text', values: ['posthorn', 'resend'], about: 'The form of the bodies.' },
    },
    load: async () => (await import('./live/listen.ts')).listen,
  },
  doctor: {
    summary: 'check the server, the key and the domains',
    detail: 'With --json: {"checks": [{"name", "ok", "hint"}]}. The exit code is 0 if all is well.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  api: {
    words: ['METHOD', 'PATH'],
    summary: 'request any path of the API',
    detail: 'Such as: posthorn api POST /v1/segments --data \'{"name": "VIPs"}\'. /docs on the server lists the paths.',
    flags: {
      data: { kind: 'text', value: 'JSON', about: 'The body: a text, @FILE, or @- for stdin.' },
      'idempotency-key': { kind: 'text', about: 'A repeated request with this key does nothing again.' },
      ...yesFlag,
    },
    load: async () => (await import('./commands/api.ts')).requestApi,
  },
  mcp: {
    summary: 'give an AI client tools over stdin and stdout',
    detail: `A client of the Model Context Protocol starts it. It passes messages on to /mcp of the server. Prefer a saved key or
POSTHORN_API_KEY: others on the machine can see the arguments of a command.`,
    flags: {
      'read-only': { kind: 'boolean', about: 'Shows the tools that read.' },
      toolsets: { kind: 'text', value: 'NAMES', about: 'Adds whatsapp, workflows, webhooks, admin or all.' },
      from: { kind: 'text', value: 'ADDRESS', about: 'The one sender.' },
      'allow-to': { kind: 'text', value: 'ADDRESSES', about: 'Addresses and *@domain, separated by commas.' },
    },
    load: async () => (await import('./commands/mcp.ts')).passMcp,
  },
  completion: {
    words: ['bash|zsh|fish'],
    summary: 'write the script that completes commands in a shell',
    isLocal: true,
    load: async () => (await import('./commands/completion.ts')).completion,
  },
}
