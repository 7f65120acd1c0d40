import { textNames } from '../fields.ts'

/** The most rows of one request. */
export const rowsMax = 10_000
export const bodyMaxBytes = 10 * 1024 * 1024
/** On average. */
const propertiesOfRow = 20
/**
 * The most members of all objects of the body. Each row has its text fields, `email`, `unsubscribed` and `properties`.
 * The body itself has two fields.
 */
export const importMembersMax = rowsMax * (1 + textNames.length + 3 + propertiesOfRow) + 2
