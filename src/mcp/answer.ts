import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../context.ts'
import { version } from '../version.ts'
import { callTool } from './call.ts'
import type { Rules } from './rules.ts'
import { listTools, routedTools } from './shown.ts'

/** Answers one message. Server and transport live as long as the request, since nothing is kept between requests. */
export async function answerMessage(
  message: unknown,
  caller: Caller,
  rules: Rules,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const server = createServer(caller, rules, request)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport as Parameters<Server['connect']>[0])
    const answer = await transport.handleRequest(webRequest(request), { parsedBody: withoutNull(message) })
    reply.status(answer.status)
    const type = answer.headers.get('content-type')
    if (type) reply.header('Content-Type', type)
    return await answer.text()
  } finally {
    await server.close()
  }
}

/** Some clients send `arguments: null` to a tool that takes none. */
function withoutNull(message: unknown): unknown {
  const { params } = (message ?? {}) as { params?: { arguments?: unknown } }
  return params?.arguments === null ? { ...(message as object), params: { ...params, arguments: undefined } } : message
}

/** The transport asks clients to take event streams, which are never sent here. */
function webRequest({ headers }: FastifyRequest): Request {
  const version = headers['mcp-protocol-version']
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    },
  })
}

const instructions =
  'Sends and looks up email, SMS and broadcasts of one Posthorn team. A refusal says what to change. Ask a person before you send to many.'

function createServer(caller: Caller, rules: Rules, request: FastifyRequest): Server {
  const server = new Server(
    { name: 'posthorn', title: 'Posthorn', version },
    { capabilities: { tools: {} }, instructions },
  )
  const routed = routedTools(request.server.routeTable)
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: listTools(routed.values(), caller, rules) as never,
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const found = routed.get(name)
    if (!found || !rules.toolsets.has(found.tool.toolset)) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name.slice(0, 100))}.`)
    }
    return callTool(request, found, given, rules)
  })
  return server
}
