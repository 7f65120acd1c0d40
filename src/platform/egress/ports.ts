/** Ports from 1024 on of other services that an HTTP request can harm. */
const closed = new Set([
  // The list of browsers (Fetch Standard 2.9).
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ],
  // Mail submission at its other ports.
  ...[2465, 2525, 2587],
  // Docker, etcd, Kubernetes.
  ...[2375, 2376, 2377, 2379, 2380, 10250],
  // Databases, caches, queues, remote desktops.
  ...[1433, 1521, 3306, 3389, 5432, 5672, 5900, 6379, 9042, 11211, 27017],
])

/** Tells whether customers' URLs may name a port: 80, 443, and from 1024 on those that are not closed. */
export function isOpenPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !closed.has(port))
}

export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
