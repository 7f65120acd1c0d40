import { test } from 'node:test'
import { until } from '../../../test/patience.ts'
import { createWebhookApp, makeWebhook } from '../fixtures/app.ts'
import { startReceiver } from '../fixtures/receiver.ts'
import { startTarpit } from '../fixtures/tarpit.ts'

// Much longer than the test waits for a delivery.
const posthorn = await createWebhookApp({ WEBHOOK_TIMEOUT: '2h' })
const tarpit = await startTarpit()

test('two teams whose endpoints are all silent do not delay other teams', async () => {
  const silent = [await posthorn.team(), await posthorn.team()]
  await Promise.all(silent.flatMap(({ api }) => Array.from({ length: 100 }, () => makeWebhook(api, tarpit.url))))
  for (const { id } of silent) for (let count = 0; count < 10; count++) await posthorn.happen(id)
  posthorn.app.jobs.start()
  await until(() => tarpit.open.size >= 200)
  const [team, healthy] = [await posthorn.team(), await startReceiver()]
  await makeWebhook(team.api, healthy.url)
  await posthorn.happen(team.id)
  await until(() => healthy.received.length === 1)
})
