import { randomBytes } from 'node:crypto'

/** The least that a production server needs. */
export const productionEnvironment = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(32).toString('hex'),
  PAYMENTS_PROVIDER: 'none',
}
