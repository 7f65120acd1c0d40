import assert from 'node:assert/strict'
import fc from 'fast-check'
import { forAllAsync } from '../../../test/for-all.ts'
import { nearlyValid, valid } from '../../../test/from-schema.ts'
import { propertyTest } from '../../../test/slow.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import { nodeTypes } from '../nodes/registry.ts'
import { readConfigs } from './config-faults.ts'

const read = (type: string, config: Record<string, unknown>) =>
  readConfigs({ nodes: [{ id: 'x', type, name: '', config, position: { x: 0, y: 0 } }], connections: [] })

for (const { type, config: schema } of nodeTypes) {
  propertyTest(`any config of ${type} is either valid or has faults`, async () => {
    const configs = fc
      .oneof(valid(schema), nearlyValid(schema))
      // The form in which rows hold it.
      .map((value) => JSON.parse(JSON.stringify(value)))
      .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    await forAllAsync(300, configs, async (config) => {
      const before = structuredClone(config)
      const { faults, named } = await read(type, config)
      for (const { path, message } of faults) {
        assert.match(path, /^nodes\[0\]\.config/)
        assert.match(message, /\(node "x"\)$/)
      }
      for (const { path, nodeId } of named) assert.deepEqual([path.startsWith('nodes[0].config.'), nodeId], [true, 'x'])
      assert.deepEqual(config, before)
    })
  })

  propertyTest(`a misspelt field hides no other fault of ${type}, and no id in it`, async () => {
    const configs = fc.oneof(valid(schema), nearlyValid(schema)).map((value) => JSON.parse(JSON.stringify(value)))
    const objects = configs.filter((value) => value?.constructor === Object && !('zz' in value))
    await forAllAsync(200, objects, async (config) => {
      const [alone, more] = [await read(type, config), await read(type, { ...config, zz: 1 })]
      const others = more.faults.filter(({ path }) => path !== 'nodes[0].config.zz')
      assert.equal(others.length, more.faults.length - 1)
      const sorted = (faults: typeof others) => faults.map(({ path, message }) => `${path}: ${message}`).sort()
      assert.deepEqual(sorted(others), sorted(alone.faults))
      assert.deepEqual(more.named, alone.named)
    })
  })

  propertyTest(`${type} reports no second fault of a field that its schema refuses`, async () => {
    const names = Object.keys(schema.properties)
    if (names.length === 0) return
    const inSchema = faultFinder(schema)
    await forAllAsync(100, valid(schema), fc.constantFrom(...names), async (made, name) => {
      const right = JSON.parse(JSON.stringify(made))
      // No field of any type accepts this value.
      const config = { ...right, [name]: [[[]]] }
      const { faults } = await read(type, config)
      const inField = faults.map(({ path }) => path).filter((path) => path.startsWith(`nodes[0].config.${name}`))
      const refused = inSchema(config).map(({ path }) => `nodes[0].config.${path}`)
      assert.deepEqual(
        inField.filter((path) => !refused.includes(path)),
        [],
      )
      assert(inField.length > 0)
    })
  })
}
