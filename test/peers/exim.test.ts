import { checkPeer } from './check-peer.ts'
import { startExim } from './exim.ts'

await checkPeer('127.0.1.13', 'exim.test', startExim)
