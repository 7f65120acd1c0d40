import { addRecipient, beginEnvelope } from './envelope.ts'
import { logIn } from './log-in.ts'
import { reply } from './reply.ts'
import { anew, noteWaste, refuseSyntax, type Session, sayGoodbye } from './session.ts'
import { takeMessage } from './take-message.ts'

export async function answerCommand(session: Session, line: string): Promise<void> {
  const verb = /^\w*/.exec(line)![0]
  const command = commands.get(verb.toUpperCase())
  if (command) await command(session, line.slice(verb.length).trim())
  else refuseSyntax(session, reply('500 5.5.1', 'This command is not known here.'))
}

type Command = (session: Session, argument: string) => void | Promise<void>

const commands = new Map<string, Command>(
  Object.entries({
    EHLO: greet,
    HELO: greetPlainly,
    STARTTLS: startTls,
    AUTH: logIn,
    MAIL: beginEnvelope,
    RCPT: addRecipient,
    DATA: takeMessage,
    RSET(session: Session) {
      session.envelope = null
      answerIdle(session, ok)
    },
    NOOP: (session: Session) => answerIdle(session, ok),
    VRFY: (session: Session) => answerIdle(session, reply('252 2.1.5', 'Send the message, and it will be seen.')),
    HELP: (session: Session) =>
      answerIdle(session, reply('214 2.0.0', 'User name: an API key. Password: the same, or none.')),
    QUIT: (session: Session) => sayGoodbye(session, '221 2.0.0 Bye\r\n'),
  }),
)

const ok = '250 2.0.0 Ok\r\n'

/** Answers a command that does not contribute to a message. */
function answerIdle(session: Session, answer: string): void {
  session.wire.reply(answer)
  noteWaste(session)
}

function greet(session: Session, client: string): void {
  if (!isGreetable(session, client)) return
  const { name, wire, bounds } = session
  const extensions = ['PIPELINING', `SIZE ${bounds.messageBytesMax}`, '8BITMIME', 'ENHANCEDSTATUSCODES']
  // Offers AUTH only with encryption, because a key sent in plain text is compromised.
  const further = wire.secure ? 'AUTH PLAIN LOGIN' : 'STARTTLS'
  wire.reply([name, ...extensions].map((extension) => `250-${extension}\r\n`).join(''))
  wire.reply(`250 ${further}\r\n`)
}

function greetPlainly(session: Session, client: string): void {
  if (isGreetable(session, client)) session.wire.reply(`250 ${session.name}\r\n`)
}

function isGreetable(session: Session, client: string): boolean {
  if (client === '') {
    refuseSyntax(session, reply('501 5.5.4', 'Say who you are: EHLO client.example'))
    return false
  }
  session.greeted = true
  session.envelope = null
  noteWaste(session)
  return true
}

async function startTls(session: Session, argument: string): Promise<void> {
  const { wire, tls, bounds } = session
  if (wire.secure) return refuseSyntax(session, reply('503 5.5.1', 'The connection is encrypted already.'))
  if (argument !== '') return refuseSyntax(session, reply('501 5.5.4', 'STARTTLS takes no parameters.'))
  // RFC 3207 6: plain text after STARTTLS may be an attacker's.
  if (wire.hasMore())
    return sayGoodbye(session, reply('421 4.7.0', 'Nothing may follow STARTTLS before the handshake.'))
  wire.reply('220 2.0.0 Begin TLS\r\n')
  if (await wire.encrypt(tls(), bounds.tlsMs)) Object.assign(session, anew)
  else session.over = true
}
