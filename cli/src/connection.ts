import { keyFailure, usageFailure } from './failure.ts'
import type { Values } from './flags.ts'
import type { Io } from './io.ts'
import { defaultProfile, type Profile, readProfiles } from './profiles.ts'

/** Where requests go. `profile` is null if the key is not a profile's. */
export type Connection = { url: string; key: string; profile: string | null }

const usualUrl = 'http://localhost:3000'

/**
 * Returns the server and the key: those of flags, then of the environment, then of the profile. A profile that a flag
 * names comes before the environment.
 */
export function connectionOf(io: Io, { url, key, profile: flag }: Values): Connection {
  const { POSTHORN_URL, POSTHORN_API_KEY } = io.env
  const name = profileName(io, flag)
  const profile = readProfiles(io)[name]
  const first = flag === undefined ? undefined : profile
  if (flag !== undefined && !profile && key === undefined) refuseProfile(io, name)
  const fromOutside = key ?? (first ? undefined : POSTHORN_API_KEY || undefined)
  const found = fromOutside ?? profile?.key
  if (!found) throw keyFailure(noKey(io, name))
  return {
    url: checkedUrl(String(url ?? (first?.url || POSTHORN_URL || profile?.url || usualUrl))),
    key: checkedKey(String(found)),
    profile: fromOutside === undefined ? name : null,
  }
}

/** Returns the name of the profile that is meant. */
export function profileName({ env }: Pick<Io, 'env'>, flag: Values[string]): string {
  return flag === undefined ? env.POSTHORN_PROFILE || defaultProfile : String(flag)
}

/** Returns the server that `login` means. */
export function loginUrl({ env }: Io, { url }: Values, profile: Profile | undefined): string {
  return checkedUrl(String(url ?? (env.POSTHORN_URL || profile?.url || usualUrl)))
}

function noKey(io: Io, name: string): string {
  if (io.env.POSTHORN_PROFILE) return `There is no profile "${name}". Run: posthorn login --profile ${name}`
  return 'There is no API key. Run posthorn login, or give one with --key or in POSTHORN_API_KEY.'
}

function refuseProfile(io: Io, name: string): never {
  const names = Object.keys(readProfiles(io))
  const there = names.length > 0 ? ` There are ${names.join(', ')}.` : ''
  throw keyFailure(`There is no profile "${name}".${there} Run: posthorn login --profile ${name}`)
}

function checkedUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageFailure(`The URL of the server begins with http:// or https://; it was "${url}".`)
  return url.replace(/\/+$/, '')
}

/** Other characters cannot be sent in a header. */
export function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw keyFailure('The API key has a character that no key has.')
  return key
}
