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

<!-- Made by "npm run settings" from the declarations in src/. Do not edit. -->

All settings are environment variables, and all are optional unless their provider is chosen. A bad value stops the start with
one line that names the variable, what it must be, and what it was.

Any setting can be read from a file: \`APP_SECRET_FILE=/run/secrets/app_secret\`.

\`NODE_ENV=production\` changes the defaults that say so, and refuses settings that are unsafe on a public server.`

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
