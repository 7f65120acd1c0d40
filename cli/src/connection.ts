import { keyFailure, usageFailure } from './failure.ts'
import type { Values } from './flags.ts'
import type { Io } from './io.ts'
import { defaultProfile, readProfiles } from './profiles.ts'

/** Where requests go. `profile` is null if the key is not a profile's. */
export type Connection = { url: string; key: string; profile: string | null }

const usualUrl = 'http://localhost:3000'

/**
 * Returns the server and the key: those of flags, then of the environment, then of the profile. A profile that a flag
 * names comes before the environment.
 */
export function connectionOf(io: Io, values: Values): Connection {
  const fromOutside = values.key ?? (values.profile === undefined ? io.env.POSTHORN_API_KEY || undefined : undefined)
  if (fromOutside !== undefined)
    return { url: serverUrl(io, values), key: checkedKey(String(fromOutside)), profile: null }
  const name = profileName(io, values.profile)
  const { key } = readProfiles(io)[name] ?? {}
  if (!key) throw keyFailure(noKey(io, name, values))
  return { url: serverUrl(io, values), key: checkedKey(String(key)), profile: name }
}

/**
 * Returns the server of `connectionOf`, which may be known without a key. The file of profiles is read if it decides.
 */
export function serverUrl(io: Io, { url, profile }: Values): string {
  if (url !== undefined) return checkedUrl(String(url))
  const fromEnvironment = io.env.POSTHORN_URL || undefined
  if (profile === undefined && fromEnvironment) return checkedUrl(fromEnvironment)
  const saved = readProfiles(io)[profileName(io, profile)]
  return checkedUrl(saved?.url || fromEnvironment || usualUrl)
}

/** Returns the name of the profile that is meant. */
export function profileName({ env }: Pick<Io, 'env'>, flag: Values[string]): string {
  return flag === undefined ? env.POSTHORN_PROFILE || defaultProfile : String(flag)
}

function noKey(io: Io, name: string, { profile }: Values): string {
  if (profile !== undefined) {
    const names = Object.keys(readProfiles(io))
    const there = names.length > 0 ? ` There are ${names.join(', ')}.` : ''
    return `There is no profile "${name}".${there} Run: posthorn login --profile ${name}`
  }
  if (io.env.POSTHORN_PROFILE) return `There is no profile "${name}". Run: posthorn login --profile ${name}`
  return 'There is no API key. Run posthorn login, or give one with --key or in POSTHORN_API_KEY.'
}

function checkedUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageFailure(`The URL of the server begins with http:// or https://; it was "${url}".`)
  if (/[?#]/.test(url)) throw usageFailure(`The URL of the server has neither a query nor a fragment; it was "${url}".`)
  return url.replace(/\/+$/, '')
}

/** Other characters cannot be sent in a header. */
export function checkedKey(key: string): string {
  if (key === '')
    throw keyFailure('The API key is empty. Run posthorn login, or give one with --key or in POSTHORN_API_KEY.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw keyFailure('The API key has a character that no key has.')
  return key
}
