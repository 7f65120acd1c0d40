import { SMTPServer } from 'smtp-server'
import { selfSigned } from '../src/smtp/self-signed.ts'

/** Runs smtp-server as a process, set up as in its manual. It accepts every login and discards every message. */
const pem = selfSigned(['localhost'])
const server = new SMTPServer({
  ...{ secure: true, cert: pem, key: pem, disableReverseLookup: true, authOptional: false, logger: false },
  onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
  onData(stream, _session, done) {
    stream.resume()
    stream.on('end', () => done())
  },
})
server.on('error', () => undefined)
server.listen(0, '127.0.0.1', () => {
  const address = server.server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : null })
})
process.on('disconnect', () => process.exit())
