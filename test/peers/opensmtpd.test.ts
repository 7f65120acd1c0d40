import { checkPeer } from './check-peer.ts'
import { startOpenSmtpd } from './opensmtpd.ts'

await checkPeer('127.0.1.14', 'opensmtpd.test', startOpenSmtpd)
