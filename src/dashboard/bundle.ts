import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { someAtATime } from '../platform/waiting/some-at-a-time.ts'
import type { Manifest } from './build/manifest.ts'
import { filesAtOnce } from './build/sources.ts'

export type Asset = {
  type: string
  gzipped: Buffer
  brotli: Buffer
  /** Unpacked at the first request that takes no compression, and kept: these requests are not counted. */
  plain(): Promise<Buffer>
}

/** A build in memory. */
export type Bundle = { manifest: Manifest; assets: Map<string, Asset> }

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Reads a build. Null if the folder does not exist. */
export async function readBundle(folder: string): Promise<Bundle | null> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (text === null) return null
  const manifest = JSON.parse(text) as Manifest
  const assets = await someAtATime(filesAtOnce, manifest.files, async (name): Promise<[string, Asset]> => {
    const read = (coding: string) => readFile(join(folder, `${name}.${coding}`))
    const [gzipped, brotli] = await Promise.all([read('gz'), read('br')])
    let plain: Promise<Buffer> | undefined
    return [
      name,
      {
        ...{ type: types[name.split('.').at(-1)!]!, gzipped, brotli },
        plain: () => {
          plain ??= promisify(gunzip)(gzipped)
          return plain
        },
      },
    ]
  })
  return { manifest, assets: new Map(assets) }
}
