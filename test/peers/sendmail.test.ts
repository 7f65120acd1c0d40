import { checkPeer } from './check-peer.ts'
import { startSendmail } from './sendmail.ts'

await checkPeer('127.0.1.15', 'sendmail.test', startSendmail)
