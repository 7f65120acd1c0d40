import { after } from 'node:test'
import dns from 'dns2'

/** A record in the form of a domain's records in the API. */
export type PublishedRecord = {
  type: 'txt' | 'mx' | 'cname' | 'a' | 'aaaa'
  name: string
  value: string
  priority?: number | null
}

export type DnsServer = {
  /** The value for `DNS_SERVERS`. */
  address: string
  /** Replaces all records. */
  publish(records: PublishedRecord[]): void
  /** Does not answer questions about names with this suffix. */
  silence(suffix: string): void
  /** Sets whether the server answers, stays silent, or answers with a failure. */
  become(mood: 'answering' | 'silent' | 'failing'): void
  /** Delays answers until `release` is called; `asked` resolves at the first question. */
  hold(): { asked: Promise<void>; release(): void }
  /** The number of questions so far. */
  questions(): number
  close(): Promise<void>
}

/** A real DNS server on loopback (UDP), closed after the file's tests. */
export async function startDnsServer(): Promise<DnsServer> {
  let records: PublishedRecord[] = []
  let mood: 'answering' | 'silent' | 'failing' = 'answering'
  let gate: { opened: Promise<void>; tell(): void } | null = null
  let questions = 0
  let silenced: string | null = null
  const server = dns.createServer({
    udp: true,
    async handle(request, send) {
      questions++
      gate?.tell()
      await gate?.opened
      if (mood === 'silent') return
      if (silenced !== null && request.questions[0]?.name.toLowerCase().endsWith(silenced)) return
      const response = answerTo(request, records)
      if (mood === 'failing') response.header.rcode = dns.Packet.RCODE.SERVFAIL
      await send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const close = () => server.close()
  after(close)
  return {
    address: `127.0.0.1:${(udp as { port: number }).port}`,
    publish(all) {
      records = all
    },
    silence(suffix) {
      silenced = suffix
    },
    become(next) {
      mood = next
    },
    hold() {
      const asked = Promise.withResolvers<void>()
      const opened = Promise.withResolvers<void>()
      gate = { opened: opened.promise, tell: asked.resolve }
      return {
        asked: asked.promise,
        release() {
          gate = null
          opened.resolve()
        },
      }
    },
    questions: () => questions,
    close,
  }
}

function answerTo(request: InstanceType<typeof dns.Packet>, records: PublishedRecord[]) {
  const { Packet } = dns
  const response = Packet.createResponseFromRequest(request)
  const question = request.questions[0]!
  const ofName = records.filter((record) => record.name === question.name.toLowerCase())
  if (ofName.length === 0) response.header.rcode = Packet.RCODE.NXDOMAIN
  for (const { type, name, value, priority } of ofName) {
    const kind = Packet.TYPE[type.toUpperCase() as 'TXT' | 'MX' | 'CNAME' | 'A' | 'AAAA']
    if (kind !== question.type) continue
    const content =
      type === 'txt'
        ? { data: stringsOf(value) }
        : type === 'mx'
          ? { exchange: value, priority: priority ?? 0 }
          : type === 'cname'
            ? { domain: value }
            : { address: value }
    response.answers.push({ name, type: kind, class: Packet.CLASS.IN, ttl: 60, ...content } as never)
  }
  return response
}

/** A TXT record consists of strings of at most 255 octets (RFC 1035, 3.3.14). */
function stringsOf(value: string): string[] {
  return value.match(/.{1,255}/gs) ?? ['']
}
