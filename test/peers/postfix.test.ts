import { checkPeer } from './check-peer.ts'
import { startPostfix } from './postfix.ts'

await checkPeer('127.0.1.11', 'postfix.test', startPostfix)
