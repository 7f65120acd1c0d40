import { ConfigError, refuseVariable } from '../environment/read.ts'

/** A port with its variable, and an address with its own. `mayBeOff`: the port may be switched off. */
export type Listening = { variable: string; port: number; host: string; hostVariable: string; mayBeOff: boolean }

/** Throws `ConfigError` that names the setting at fault, or the error itself if no setting is. */
export function refuseListening(error: NodeJS.ErrnoException, listening: Listening): never {
  const { variable, port, host, hostVariable, mayBeOff } = listening
  const { code = '' } = error
  const or = mayBeOff ? 'off, or ' : ''
  if (code === 'EADDRINUSE')
    refuseVariable(variable, `${or}free on ${host}; something listens there already`, String(port))
  if (code === 'EACCES') refuseVariable(variable, `${or}one this user may open`, String(port))
  if (['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'].includes(code)) {
    refuseVariable(hostVariable, 'an address of this machine', host)
  }
  throw error instanceof ConfigError ? error : new Error(`${variable} ${port} cannot be opened: ${error.message}`)
}
