import { crc32, deflateRawSync } from 'node:zlib'

/** Makes a zip file (APPNOTE 6.3) of small UTF-8 texts, each deflated. Names are ASCII. */
export function zipOf(files: { name: string; text: string }[], at: Date): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, text } of files) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const head = headOf(name, content, packed, at)
    const local = Buffer.concat([u32(0x04034b50), head, Buffer.from(name), packed])
    const place = Buffer.concat([u16(0), u16(0), u16(0), u32(0), u32(offset)])
    directory.push(u32(0x02014b50), u16(20), head, place, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const counts = [u16(0), u16(0), u16(files.length), u16(files.length), u32(listed.length), u32(offset), u16(0)]
  return Buffer.concat([...parts, listed, u32(0x06054b50), ...counts])
}

/** The fields that a file's own header and its entry in the directory share. */
function headOf(name: string, content: Buffer, packed: Buffer, at: Date): Buffer {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return Buffer.concat([
    ...[u16(20), u16(0x0800), u16(8), u16(time), u16(date)],
    ...[u32(crc32(content)), u32(packed.length), u32(content.length), u16(name.length), u16(0)],
  ])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
