import { checkPeer } from './check-peer.ts'
import { startHaraka } from './haraka.ts'

await checkPeer('127.0.1.12', 'haraka.test', startHaraka)
