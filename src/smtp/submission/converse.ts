import { answerCommand } from './commands.ts'
import { reply } from './reply.ts'
import { anew, commandWaitMs, refuseSyntax, type Session, type Submission, sayGoodbye } from './session.ts'
import type { Wire } from './wire.ts'

/** Serves one client until either side ends the session. */
export async function converse(submission: Submission, wire: Wire, isImplicit: boolean): Promise<void> {
  const { bounds, name, tls } = submission
  const session: Session = { ...submission, wire, ...anew, badKeys: 0, wasted: 0, loginDeadline: 0, over: false }
  session.loginDeadline = performance.now() + bounds.loginMs
  if (isImplicit && !(await wire.encrypt(tls(), bounds.tlsMs))) return
  wire.reply(`220 ${name} ESMTP Posthorn\r\n`)
  while (!session.over) {
    if (submission.isClosing() && !session.envelope) {
      sayGoodbye(session, reply('421 4.3.2', 'This server is shutting down. Connect again.'))
      break
    }
    const line = await wire.line(commandWaitMs(session))
    if (!line) return
    if (line.kind === 'nudged') continue
    if (line.kind === 'tooLong') sayGoodbye(session, reply('500 5.5.6', 'The line is too long.'))
    else if (line.kind === 'broken')
      refuseSyntax(session, reply('500 5.5.2', 'Send lines of text that end with CR LF.'))
    else await answerCommand(session, line.text)
  }
  wire.end()
}
