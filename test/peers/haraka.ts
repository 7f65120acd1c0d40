import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Peer, Place } from './peer.ts'
import { startPeer } from './process.ts'
import { installNpm } from './programs.ts'

const harakaVersion = '3.3.4'

/** Installs Haraka. Returns its folder. */
export function fetchHaraka(): Promise<string> {
  return installNpm('haraka', harakaVersion)
}

/** Starts Haraka, which answers 503 to what comes together with the end of a text. */
export async function startHaraka({ address, port, returns, nextPort }: Place): Promise<Peer> {
  const program = await fetchHaraka()
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-haraka-'))
  const [config, plugins, kept] = ['config', 'plugins', 'kept'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  cpSync(join(program, 'node_modules/haraka/config'), config, { recursive: true })
  for (const path of [plugins, kept, join(folder, 'queue')]) mkdirSync(path)
  symlinkSync(join(program, 'node_modules'), join(folder, 'node_modules'))
  copyFileSync(new URL('./haraka-plugin.cjs', import.meta.url), join(plugins, 'peer.js'))
  const files = {
    'smtp.ini': `listen=${address}:${port}\nnodes=0\n`,
    // A report that comes before the hand-over is recorded is refused for now, and the usual first wait is 64 s; 5 s is
    // the least.
    'outbound.ini': 'enable_tls=false\nlocal_mx_ok=true\ntemp_fail_intervals=5s*30\n',
    plugins: 'peer\n',
    me: 'mx.haraka.test\n',
    'log.ini': '[main]\nlevel=notice\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(config, name), text)
  const env = { PEER_KEPT: kept, PEER_NEXT: String(nextPort), PEER_RETURNS: JSON.stringify(returns) }
  const main = join(program, 'node_modules/haraka/bin/haraka')
  const peer = await startPeer(process.execPath, [main, '-c', folder], { cwd: folder, env, address, port })
  return {
    domain: 'haraka.test',
    kept: () => readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8')),
    log: peer.output,
    async stop() {
      await peer.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
