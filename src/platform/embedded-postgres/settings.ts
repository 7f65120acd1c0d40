/** The server listens on a Unix socket in a closed folder, or on a loopback port on Windows. */
export type Listening = { socketFolder: string } | { port: number }

/**
 * The server's whole configuration file: as durable as PostgreSQL's defaults, small when idle, and quiet. Values of
 * statements are personal data and stay out of the log. `overrides` wins (tests switch fsync off with it).
 */
export function renderSettings(listening: Listening, major: number, overrides: Record<string, string>): string {
  const settings = { ...fixed, ...(major >= 18 && since18), ...listen(listening), ...overrides }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${escaped(value)}'`)
  return `# Written anew at every start. Settings of your own: ALTER SYSTEM, as user postgres.\n${lines.join('\n')}\n`
}

/** A backslash is an escape in PostgreSQL's file, and a separator in the paths of Windows. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''")
}

/** Lets clients connect with the password only, on the socket or, on Windows, the loopback port. */
export function renderAccess(bySocket: boolean): string {
  return bySocket ? 'local all all scram-sha-256\n' : 'host all all 127.0.0.1/32 scram-sha-256\n'
}

function listen(listening: Listening): Record<string, string> {
  if ('port' in listening) {
    return { listen_addresses: '127.0.0.1', port: String(listening.port), unix_socket_directories: '' }
  }
  return {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: listening.socketFolder,
    unix_socket_permissions: '0700',
  }
}

const fixed = {
  // An acknowledged commit is on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // For a few processes with a dozen connections each, and commands beside them.
  max_connections: '50',
  // Pages cost memory only once they are used; the rest is the operating system's cache.
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Compiling a plan takes longer than any of our statements.
  jit: 'off',
  random_page_cost: '1.1',
  huge_pages: 'off',
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // Saves two processes; the server has no replicas.
  max_logical_replication_workers: '0',
  // Rows of queues change several times, so small shares of a table are vacuumed often.
  autovacuum_naptime: '30s',
  autovacuum_max_workers: '2',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
  lc_messages: 'C',
  default_text_search_config: 'pg_catalog.english',
}

const since18 = {
  // Saves three processes. The data of a small machine are in the cache.
  io_method: 'sync',
}
