/** The settings with which `pg` connects: `host` is the socket's folder, or 127.0.0.1 on Windows. */
export type Connection = { host: string; port: number; user: string; database: string; password?: string }
