import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf, createTestApp, type TestTeam } from '../../../../test/app.ts'
import { slowTest } from '../../../../test/slow.ts'
import { eventsOf, person, sendTracked, trackingTeam } from '../fixtures/tracked-mail.ts'
import { finishRecording } from './record.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

const machine = { 'user-agent': 'curl/8.0' }

/** Creates webhooks. Their deliveries stay pending, because no job runs. */
async function listen({ api }: TestTeam, count: number) {
  const paths: string[] = []
  for (let made = 0; made < count; made++) {
    const events = ['email.opened', 'email.clicked']
    const { body } = await api.post('/v1/webhooks', { endpointUrl: 'https://hooks.example.com/', events })
    paths.push(`/v1/webhooks/${body.id}/deliveries?limit=100`)
  }
  return async () => {
    await Promise.all([finishRecording(posthorn.app), finishRecording(other.app)])
    const lists = await Promise.all(paths.map((path) => api.get(path)))
    return lists.map(({ body }) => body.data.length as number)
  }
}

async function hit(path: string, times: number, headers: Record<string, string> = person) {
  const servers = [posthorn.anyone, apiOf(other, null)]
  await Promise.all(Array.from({ length: times }, (_, at) => servers[at % 2]!.get(path, headers)))
}

function minuteLater() {
  posthorn.clock.advance(60_000)
}

slowTest('an image that is requested any number of times is reported to each webhook once a minute', async () => {
  const team = await trackingTeam(posthorn)
  const heard = await listen(team, 10)
  const { id, pixel } = await sendTracked(posthorn, team, '<p>Hello</p>')
  await hit(pixel, 12)
  assert.deepEqual(await heard(), Array(10).fill(1))
  await hit(pixel, 3)
  assert.deepEqual(await heard(), Array(10).fill(1))
  await eventsOf(posthorn, team, id, 'opened', 15)
  minuteLater()
  await hit(pixel, 3)
  assert.deepEqual(await heard(), Array(10).fill(2))
})

test('clicks are reported once a minute for each link, and clicks of machines do not suppress those of people', async () => {
  const team = await trackingTeam(posthorn)
  const heard = await listen(team, 1)
  const { id, links, pixel } = await sendTracked(
    posthorn,
    team,
    '<a href="https://a.test/">A</a><a href="https://b.test/">B</a>',
  )
  await hit(links[0]!, 4)
  assert.deepEqual(await heard(), [1])
  await hit(links[1]!, 4)
  assert.deepEqual(await heard(), [2])
  await hit(pixel, 4, machine)
  await hit(pixel, 4)
  assert.deepEqual(await heard(), [4])
  await eventsOf(posthorn, team, id, 'clicked', 8)
})
