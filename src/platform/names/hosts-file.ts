import { isIP } from 'node:net'
import { isLocalName } from './local-name.ts'
import { readWhenChanged } from './read-when-changed.ts'

export type HostsFile = {
  /** Returns the addresses of a name in lower case, IPv4 first; none if the file does not have it. */
  find(host: string): Promise<string[]>
}

const usualPath = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** The system's hosts file. `localhost` and names under it mean this machine even if the file does not say so. */
export function createHostsFile(path = usualPath): HostsFile {
  const read = readWhenChanged(path, parseHosts)
  return {
    async find(host) {
      const name = host.replace(/\.$/, '')
      const found = (await read()).get(name)
      return found ?? (isLocalName(name) ? ['127.0.0.1', '::1'] : [])
    },
  }
}

/** By name in lower case. */
export function parseHosts(text: string): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const others = byName.get(key) ?? []
      if (!others.includes(address))
        byName.set(
          key,
          [...others, address].sort((one, other) => isIP(one) - isIP(other)),
        )
    }
  }
  return byName
}
