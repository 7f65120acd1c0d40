import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openSubmission } from './doors.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

const { posthorn } = await startSubmission()
const team = await posthorn.team()
const limits = { all: 40, anonymous: 30, ofNetwork: 10, ofNetworkMin: 3 }

async function openDoor() {
  const door = (await openSubmission(posthorn.app, 'SMTPS_PORT', 0, {}, limits))!
  after(() => door.close(0))
  return door
}

/**
 * Connects from another network and sends nothing. `isOpen` is false once the server has closed or refused the
 * connection.
 */
async function silent(port: number, localAddress: string): Promise<{ socket: Socket; isOpen(): boolean }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
  let open = true
  socket.on('close', () => (open = false)).on('data', () => (open = false))
  await once(socket, 'connect')
  return { socket, isOpen: () => open }
}

test('silent connections of many networks neither prevent a login nor end a connection that is logged in', async () => {
  const door = await openDoor()
  const before = await talkTo(door.port)
  assert.match(await before.logIn(team.key), /^235 /)
  const flood = []
  for (let network = 2; network <= 41; network++) {
    for (let each = 0; each < 3; each++) flood.push(await silent(door.port, `127.0.1.${network}`))
  }
  const later = await talkTo(door.port)
  assert.match(later.greeting, /^220 /)
  assert.match(await later.logIn(team.key), /^235 /)
  assert.match(await before.say('NOOP'), /^250 /)
  // The oldest connections were cut.
  assert(flood.filter(({ isOpen }) => isOpen()).length <= limits.anonymous)
  for (const { socket } of flood) socket.destroy()
  before.close()
  later.close()
})

test('each further network gets fewer connections as they become scarce', async () => {
  const door = await openDoor()
  const taken = async (address: string) => {
    const all = []
    for (let each = 0; each < 12; each++) all.push(await silent(door.port, address))
    // Waits for the refusal of a later connection; the earlier ones were refused before it.
    await once((await silent(door.port, address)).socket, 'data')
    return all.filter(({ isOpen }) => isOpen()).length
  }
  const counts = [await taken('127.0.2.1'), await taken('127.0.2.2'), await taken('127.0.2.3')]
  assert.deepEqual(counts, [5, 4, 4])
})
