export { Answer, List, type Page, type Received, type Result } from './answer.ts'
export type * from './api.ts'
export type { ClientOptions } from './client.ts'
export type { AttachmentContent, EmailToSend } from './email.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type FieldError,
  NotFoundError,
  PermissionError,
  PosthornError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnprocessableError,
  ValidationError,
} from './errors.ts'
export type { FeedOptions, StreamedEntry } from './feed.ts'
export { Posthorn } from './posthorn.ts'
export type { RequestOptions } from './request.ts'
