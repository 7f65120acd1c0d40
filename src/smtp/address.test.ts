import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestApp } from '../../test/app.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'posthorn-address-'))
after(() => rmSync(DATA_DIR, { recursive: true, force: true }))

/** Tells whether a connection to the port at this address is taken. */
async function answers(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED')
    return false
  } finally {
    socket.destroy()
  }
}

/** Elsewhere loopback has one address. */
const skip = process.platform !== 'linux' && 'needs a second address of this machine'

test('SMTP_LISTEN opens the SMTP ports to others while HOST keeps HTTP on this machine', { skip }, async () => {
  const ports = { SMTP_PORT: '0', SMTPS_PORT: '0', INBOUND_SMTP_PORT: '0', DATA_DIR }
  for (const [more, isOpen] of [
    [{}, false],
    [{ SMTP_LISTEN: '0.0.0.0', TRIAL: 'on' }, true],
  ] as const) {
    const posthorn = await createTestApp({ ...ports, ...more })
    const opened = Object.values(await posthorn.openDoors()) as number[]
    assert.equal(opened.length, 3)
    for (const port of opened) {
      assert.equal(await answers(port, '127.0.0.1'), true)
      assert.equal(await answers(port, '127.0.0.2'), isOpen)
    }
  }
})
