import type { Call } from '../call.ts'
import { checkedKey, profileName, serverUrl } from '../connection.ts'
import { keyFailure } from '../failure.ts'
import { readStdin } from '../io.ts'
import { linesText, tableText } from '../output/table.ts'
import { configPath, readProfiles, writeProfiles } from '../profiles.ts'
import { identityOf } from './whoami.ts'

/** Saves a key that the server knows. */
export async function login(call: Call): Promise<undefined> {
  const { io, values } = call
  const profile = profileName(io, values.profile)
  // A file that cannot be read is told of before a person types the key.
  readProfiles(io)
  const url = serverUrl(io, values)
  const key = checkedKey(await givenKey(call))
  const identity = await identityOf(io, { url, key, profile })
  writeProfiles(io, { ...readProfiles(io), [profile]: { url, key } })
  if (!call.json) io.err(`The key is saved in ${configPath(io)}.\n`)
  call.show(identity, () => linesText(identity))
}

/** Takes the key of the flag, of a person, of a pipe or of the environment. */
async function givenKey({ io, values }: Call): Promise<string> {
  if (values.key !== undefined) return String(values.key)
  const typed = io.canAsk ? await io.ask('API key (it is not shown): ', { secret: true }) : (await readStdin(io)).trim()
  const key = typed || io.env.POSTHORN_API_KEY
  if (!key) throw keyFailure('There is no API key. Give one with --key, or by a pipe: echo "$KEY" | posthorn login')
  return key
}

export async function logout(call: Call): Promise<undefined> {
  const { io, values } = call
  const profile = profileName(io, values.profile)
  const { [profile]: removed, ...others } = readProfiles(io)
  if (removed) writeProfiles(io, others)
  const done = { profile, removed: removed !== undefined }
  call.show(done, () => (removed ? `The key of ${profile} is removed.\n` : `There was no key of ${profile}.\n`))
}

export async function listProfiles(call: Call): Promise<undefined> {
  const used = profileName(call.io, undefined)
  const rows = Object.entries(readProfiles(call.io)).map(([profile, { url }]) => ({
    profile,
    url,
    used: profile === used,
  }))
  if (rows.length === 0 && !call.json) call.io.err('There are none. Run: posthorn login\n')
  call.show({ data: rows }, () => (rows.length > 0 ? tableText(rows, ['profile', 'url', 'used']) : ''))
}
