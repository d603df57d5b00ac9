import { isIP, type Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import { TouchlineError } from '../domain/errors.ts';
import { type AccessCheck, type AccessScope, permits } from './access.ts';
import { type Address, urlOf } from './addresses.ts';
import { answerInWords, sentenceOf } from './refusal-words.ts';

/** A server that listens. */
export interface Listener {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** Certificate and private key in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Why a request was refused. */
export type RefusalReason =
  | 'host'
  | 'origin'
  | 'no_token'
  | 'wrong_token'
  | 'wrong_code'
  | 'scope'
  | 'no_seat';

/** A request that was refused before anything was done. */
export interface RefusedRequest {
  readonly reason: RefusalReason;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Address of the client. */
  readonly from: string;
}

export interface Guard {
  /** Names, beside `localhost` and every IP address, under which clients may address this machine. */
  readonly hosts: readonly string[];
  /** Null: no request needs a token. */
  readonly access: AccessCheck | null;
  /** Learns of each refused request. */
  readonly onRefused: (refused: RefusedRequest) => void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a request needs; null: none. Absent: `control`. */
    readonly scope?: AccessScope | null;
  }
  interface FastifyRequest {
    /** The scope of the request's token; null if the listener asks for none. */
    access: AccessScope | null;
  }
}

/** Commands are short. The server refuses a longer body and does nothing. */
const LONGEST_BODY_BYTES = 16_384;
/** The server refuses a request that is incomplete after this time, and closes its connection. */
const REQUEST_WITHIN_MS = 10_000;
const LOOK_FOR_LATE_REQUESTS_MS = 1_000;
/** More connections wait, so that clients cannot use up the daemon's file descriptors. */
const MOST_CONNECTIONS = 128;

/** By default the server removes unknown fields silently: a mistyped `event` would then apply to the whole account. */
const STRICT = { removeAdditional: false } as const;

/** How the exchange of bytes with clients is protected. */
export interface Transport {
  /** Null: the server speaks plain HTTP. */
  readonly certificate: Certificate | null;
  /** Whether a proxy on this machine passes requests on, and may name the client and its protocol. */
  readonly isBehindProxy: boolean;
}

/** For clients on this machine. */
export const PLAIN: Transport = { certificate: null, isBehindProxy: false };

/** A server for short requests of few clients. It does not listen yet. */
export function shortRequestServer({ certificate, isBehindProxy }: Transport): FastifyInstance {
  const server = fastify({
    logger: false,
    forceCloseConnections: true,
    ajv: { customOptions: STRICT },
    bodyLimit: LONGEST_BODY_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    ...(isBehindProxy ? { trustProxy: 'loopback' } : {}),
    ...(certificate === null ? {} : { https: certificate }),
    http: { connectionsCheckingInterval: LOOK_FOR_LATE_REQUESTS_MS },
    frameworkErrors: (failure, _request, reply: FastifyReply) =>
      void reply.code(failure.statusCode ?? 400).send({ error: sentenceOf(failure) }),
    clientErrorHandler: refuseUnreadable,
  }) as FastifyInstance;
  server.server.maxConnections = MOST_CONNECTIONS;
  answerInWords(server);
  return server;
}

/** What a client sent is no request: the answer is one all the same, if the client still listens. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  const body = JSON.stringify({
    error: isLate ? 'the request took too long' : 'this is no valid HTTP request',
  });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
}

/**
 * Checks every request when its head arrives: the host that it addresses, the page that it comes from, and its token. A web page that
 * points its own name at this machine fails by its `Host`; any other page fails by its `Origin`.
 */
export function guard(server: FastifyInstance, { hosts, access, onRefused }: Guard): void {
  const names = new Set(['localhost', ...hosts].map((name) => name.toLowerCase()));
  const reasonAgainst = (request: FastifyRequest): RefusalReason | null => {
    const { headers } = request;
    if (!isKnownHost(request.raw.headersDistinct['host'], names)) return 'host';
    if (headers.origin !== undefined && headers.origin !== `${request.protocol}://${headers.host}`)
      return 'origin';
    const { scope = 'control' } = request.routeOptions.config;
    if (access === null || scope === null) return null;
    request.access = access.scopeOf(headers.authorization);
    if (request.access === null) return headers.authorization === undefined ? 'no_token' : 'wrong_token';
    return permits(request.access, scope) ? null : 'scope';
  };
  server.decorateRequest('access', null);
  server.addHook('onRequest', async (request, reply) => {
    const reason = reasonAgainst(request);
    if (reason === null) return;
    const path = request.url.split('?', 1)[0] as string;
    onRefused({ reason, method: request.method, path, from: request.ip });
    await refuse(reply, reason);
  });
}

const ANSWERS: Readonly<Record<RefusalReason, readonly [status: number, error: string]>> = {
  host: [403, 'this name is not among the hosts of the configuration'],
  origin: [403, 'requests do not come from pages of other sites'],
  no_token: [401, 'send a token: Authorization: Bearer …'],
  wrong_token: [401, 'the token is not valid here'],
  wrong_code: [401, 'this code was used or has expired: touchline dashboard makes another'],
  no_seat: [503, 'too many pages follow this daemon'],
  scope: [403, 'the scope of the token does not allow this'],
};

/** Answers a request that is refused. */
export function refuse(reply: FastifyReply, reason: RefusalReason): FastifyReply {
  const [status, error] = ANSWERS[reason];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  // The body may be long, or never end.
  return reply.header('connection', 'close').code(status).send({ error });
}

/** A name or an address, and a port: nothing else. Addresses of IPv6 stand in brackets. */
const HOST = /^(?:\[([\da-f:.]+)\]|([\da-z_.-]+))(?::\d{1,5})?$/i;

/** Proxies and browsers differ in which of two headers they believe, and in what they make of anything else, so there is one, plain. */
function isKnownHost(hosts: readonly string[] | undefined, names: ReadonlySet<string>): boolean {
  const [host, ...others] = hosts ?? [];
  const [, address, name] = HOST.exec(host ?? '') ?? [];
  if (others.length > 0) return false;
  if (address !== undefined) return isIP(address) === 6;
  return name !== undefined && (isIP(name) === 4 || names.has(name.toLowerCase()));
}

/**
 * Listens on an address. `setting` is the configuration's key for the port. Throws TouchlineError `port_in_use` if the port is
 * taken, `cannot_listen` for any other reason.
 */
export async function listen(
  server: FastifyInstance,
  { host, port }: Address,
  setting: string,
): Promise<Listener> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw listenError(error, { host, port }, setting);
  }
  const address = server.server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  const protocol = server.initialConfig.https === undefined ? 'http' : 'https';
  return { port: bound, url: urlOf(protocol, { host, port: bound }), close: () => server.close() };
}

function listenError(error: unknown, { host, port }: Address, setting: string): TouchlineError {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const why = inUse ? 'the port is in use by another program' : String(error);
  return new TouchlineError(
    inUse ? 'port_in_use' : 'cannot_listen',
    `cannot listen on ${host}:${port}: ${why}; choose another with ${setting} (0 takes any)`,
    { host, port },
    error,
  );
}
