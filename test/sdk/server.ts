import { type ClientOptions, Posthorn } from '../../sdk/src/index.ts'
import { sharedTestApp, type TestApp, type TestTeam } from '../app.ts'

export type Client = { app: TestApp; team: TestTeam; posthorn: Posthorn; requests: Request[] }

/** An answer of the server to a request, before the client gets it. */
type Between = (request: Request, answer: () => Promise<Response>) => Promise<Response>

/** Returns a client of a new team. `between` stands where the network is: it can lose requests and answers. */
export async function newClient(
  between: Between = (_, answer) => answer(),
  options: ClientOptions = {},
): Promise<Client> {
  const app = await sharedTestApp()
  const team = await app.team()
  const requests: Request[] = []
  const fetchBetween: typeof fetch = async (url, init) => {
    const request = new Request(String(url), init)
    requests.push(request.clone())
    return between(request, () => ask(app, request))
  }
  return { app, team, requests, posthorn: new Posthorn(team.key, { fetch: fetchBetween, ...options }) }
}

/** Returns a `fetch` that asks an app without a network. */
export function fetchFrom(app: TestApp): typeof fetch {
  return (url, init) => ask(app, new Request(url, init))
}

async function ask({ server }: TestApp, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const payload = await request.text()
  const { statusCode, headers, rawPayload } = await server.inject({
    method: request.method as 'GET',
    url: pathname + search,
    headers: Object.fromEntries(request.headers),
    ...(payload && { payload }),
  })
  return new Response(new Uint8Array(rawPayload), {
    status: statusCode,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  })
}
