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
  const patterns = allowed.map(segmentsOf);
  let refused = 0;
  return {
    ...(http.waitsForConnections === true ? { waitsForConnections: true } : {}),
    get refusedCount() {
      return refused;
    },
    send(request) {
      const name = nameOf(request);
      const segments = segmentsOf(name);
      if (patterns.some((pattern) => matches(pattern, segments))) return http.send(request);
      refused += 1;
      const why = 'this program may not send it';
      return Promise.reject(new TransportError('not-sent', `${name}: ${why}`, { endpoint: name, why }));
    },
    close: () => http.close(),
  };
}

const nameOf = ({ method, path }: HttpRequest): string => `${method} ${path.split('?', 1)[0] ?? ''}`;

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
