import { writeFileSync } from 'node:fs'
import type { Setting, Settings } from '../src/platform/environment/settings.ts'
import { channels, settings, settingsBySubject } from '../src/settings.ts'

/** The text of docs/settings.md, made from the declarations in src/. */
export function settingsPage(): string {
  const subjects = settingsBySubject.flatMap(([subject, declared]) => [
    `## ${subject}`,
    table(declared),
    ...channels.filter(({ choice }) => choice in declared).flatMap((channel) => providersOf(channel, declared)),
  ])
  return `${[head, ...subjects].join('\n\n')}\n`
}

const head = `# Settings

<!-- Made by "npm run generate" from the declarations in src/. Do not edit. -->

All settings are environment variables. Those of a provider that is chosen may be required, and production requires
\`APP_SECRET\` and \`PAYMENTS_PROVIDER\`; all others are optional. A bad value stops the start with one line that names the variable,
what it must be, and what it was.

Any setting but \`NODE_ENV\` can be read from a file: \`APP_SECRET_FILE=/run/secrets/app_secret\`.

A server is in production with \`NODE_ENV=production\`, and also with a \`HOST\`, \`SMTP_LISTEN\` or \`PUBLIC_URL\` that is not
loopback or a provider other than \`capture\`, unless \`TRIAL=on\` is set. Production changes the defaults that say so, and refuses
settings that are unsafe on a public server. \`NODE_ENV\` may also be \`development\` or \`test\`, which change nothing; other values
stop the start.

Ports and certificates are checked before anything is made. After its last line a start warns of what is likely a mistake, one line
each: a variable whose name is within one or two letters of a setting's or begins with \`POSTHORN_\`, settings of a provider that is not
chosen, a channel that sends nothing in production, a Redis that cannot be reached, a certificate that has expired, a port for
returned mail that other hosts cannot reach.`

/** A section for each provider. Settings in `shown` are in the subject's own table. */
function providersOf({ choice, providers }: (typeof channels)[number], shown: Settings): string[] {
  return providers.flatMap(({ name, about, settings: declared }) => {
    const own = Object.entries(declared).filter(([, setting]) => !Object.values(shown).includes(setting))
    const heading = `### \`${settings[choice].variable}=${name}\``
    return [heading, about, ...(own.length > 0 ? [table(Object.fromEntries(own))] : [])]
  })
}

function table(declared: Settings): string {
  const rows = Object.values(declared).map((setting) =>
    row([`\`${setting.variable}\``, setting.kind.must, defaultOf(setting), setting.about]),
  )
  return [row(['variable', 'value', 'default', 'meaning']), row(['---', '---', '---', '---']), ...rows].join('\n')
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function defaultOf({ default: usual, productionDefault, unset, required }: Setting): string {
  if (required) return unset ?? 'required'
  const text = unset ?? (usual ? `\`${usual}\`` : '')
  if (productionDefault === undefined) return text
  return `${text}; in production ${productionDefault === null ? 'required' : `\`${productionDefault}\``}`
}

if (import.meta.main) writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
