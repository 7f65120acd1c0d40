import type { Config } from '../../context.ts'
import { isAllowedHost, readAllowedHosts } from '../../credentials/allowed-hosts.ts'
import { isLoopbackHost } from '../../platform/egress/loopback.ts'
import type { Parser } from '../../platform/environment/parsers.ts'
import { hasLiteralAuthority, urlConfigFault } from './url.ts'

const known = ['hooks.slack.com', 'discord.com', 'discordapp.com']

/** Parses `CHAT_HOSTS`. */
export const chatHosts: Parser<readonly string[]> = {
  must: 'a comma-separated list of hosts such as chat.example.com,*.example.org,chat.example.net:8443',
  parse(value) {
    try {
      return readAllowedHosts(value.split(',').flatMap((part) => part.trim() || []))
    } catch {
      return undefined
    }
  },
}

type ChatConfig = Pick<Config, 'chatHosts' | 'production'>

/** Lists the hosts of chats: Slack's, Discord's and those that the operator names. */
function hostsOfChats(config: ChatConfig): string[] {
  return [...known, ...config.chatHosts]
}

/** Says why a marketer may not write to another host. */
export function beyondChats(config: ChatConfig): string {
  const hosts = new Intl.ListFormat('en').format(hostsOfChats(config))
  return `A message to another host than ${hosts} needs the role owner, admin or developer; your role in this team is marketer.`
}

/**
 * Tells whether a message to this URL, which may have placeholders, can reach a host that is no chat's. A URL that no
 * activation accepts reaches none. Outside production a developer's own machine counts as a chat.
 */
export function leavesChats(config: ChatConfig, url: unknown): boolean {
  if (typeof url !== 'string' || urlConfigFault(url) !== null) return false
  if (!hasLiteralAuthority(url) || !URL.canParse(url)) return true
  return !isAllowedHost(url, hostsOfChats(config)) && (config.production || !isLoopbackHost(new URL(url)))
}
