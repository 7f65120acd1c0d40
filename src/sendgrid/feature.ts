import type { Feature } from '../platform/feature.ts'
import { sendgridWords } from './errors.ts'
import { sendgridRoutes } from './routes.ts'

export const sendgrid: Feature = { name: 'sendgrid', dialect: { ...sendgridWords, routes: sendgridRoutes } }
