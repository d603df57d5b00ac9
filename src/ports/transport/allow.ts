/** A decorator that lets only named requests leave, for programs that must be unable to do anything else. */
import { TransportError } from '../../domain/errors.ts';
import type { HttpRequest, HttpTransport } from '../transport.ts';

/** `METHOD path` without a query. A segment in braces matches any one segment: `DELETE /v2/heartbeats/{heartbeat_id}/`. */
export type RequestPattern = `${HttpRequest['method']} /${string}`;

export interface AllowedHttp extends HttpTransport {
  /** The number of requests that were refused. */
  readonly refusedCount: number;
}

/** Sends the allowed requests. Every other request rejects with TransportError `not-sent`, which names it. */
export function allowRequests(http: HttpTransport, allowed: readonly RequestPattern[]): AllowedHttp {
  const isAllowed = matcherOf(allowed);
  let refused = 0;
  return {
    ...(http.waitsForConnections === true ? { waitsForConnections: true } : {}),
    get refusedCount() {
      return refused;
    },
    send(request) {
      if (isAllowed(request)) return http.send(request);
      refused += 1;
      return Promise.reject(mayNotSend(request, 'this program may not send it'));
    },
    close: () => http.close(),
  };
}

/** Whether a request is one of the named ones. */
export function matcherOf(
  named: readonly RequestPattern[],
): (request: Pick<HttpRequest, 'method' | 'path'>) => boolean {
  const patterns = named.map(segmentsOf);
  return (request) => {
    const segments = segmentsOf(nameOf(request));
    return patterns.some((pattern) => matches(pattern, segments));
  };
}

/** The failure of a request that was kept from leaving. */
export function mayNotSend(request: Pick<HttpRequest, 'method' | 'path'>, why: string): TransportError {
  const name = nameOf(request);
  return new TransportError('not-sent', `${name}: ${why}`, { endpoint: name, why });
}

const nameOf = ({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string =>
  `${method} ${path.split('?', 1)[0] ?? ''}`;

const segmentsOf = (name: string): readonly string[] => name.split('/');

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, at) =>
    isAnySegment(part) ? isOneSegment(segments[at] ?? '') : part === segments[at],
  );

const isAnySegment = (part: string): boolean => /^\{.+\}$/.test(part);

/** A segment that a server could read as several segments, or as another path, matches nothing. */
function isOneSegment(segment: string): boolean {
  try {
    return !/^\.{0,2}$|[/\\]/.test(decodeURIComponent(segment));
  } catch {
    return false;
  }
}
