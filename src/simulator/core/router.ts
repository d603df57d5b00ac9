import type { Accounts, KeyHolder } from './accounts.ts';
import type { SimRequest, SimResponse } from './api.ts';
import type { Endpoint } from './endpoints.ts';
import {
  forbidden,
  invalidCustomer,
  notAllowed,
  notFound,
  throttled,
  unauthenticated,
  warming,
} from './replies.ts';
import type { Stream } from './stream.ts';

interface Route {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
}

const PREFIX = '/magic-api';

/** Routes a request to its endpoint. It checks path, method, key and budget, in this order. */
export class Router {
  readonly #accounts: Accounts;
  readonly #stream: Pick<Stream, 'isLost'>;
  readonly #routes: readonly Route[];

  /** While `stream` is lost, market data is refused. */
  constructor(accounts: Accounts, endpoints: readonly Endpoint[], stream: Pick<Stream, 'isLost'>) {
    [this.#accounts, this.#stream] = [accounts, stream];
    this.#routes = endpoints.map((endpoint) => ({ endpoint, segments: segmentsOf(endpoint.path) }));
  }

  answer(request: SimRequest, nowMs: number): SimResponse {
    const { segments, query } = readTarget(request.target);
    // A fixed path has priority over a path with parameters.
    const routes =
      segments === null ? [] : mostFixed(this.#routes.filter((route) => fits(route.segments, segments)));
    if (segments === null || routes.length === 0) return notFound();
    const route = routes.find(({ endpoint }) => endpoint.method === request.method);
    if (route === undefined) return notAllowed(methodsOf(routes));
    const holder = request.apiKey === null ? null : this.#accounts.byKey(request.apiKey);
    if (holder === null) return unauthenticated();
    const refusal = this.#refusal(route.endpoint, holder, nowMs);
    if (refusal !== null) return refusal;
    const params = paramsOf(route.segments, segments);
    return route.endpoint.handle({ account: holder.account, params, query, body: request.body });
  }

  #refusal(endpoint: Endpoint, holder: KeyHolder, nowMs: number): SimResponse | null {
    const { account } = holder;
    const waitS = account.budgets.spend(endpoint.budget, nowMs);
    if (waitS > 0) return throttled(waitS);
    if (endpoint.acts && holder.readOnly) return forbidden();
    if (endpoint.marketData && !account.knownToFeed) return invalidCustomer();
    return endpoint.marketData && this.#stream.isLost ? warming() : null;
  }
}

/** Path and query of a target. The segments are null for a path that cannot be decoded. */
function readTarget(target: string): { segments: readonly string[] | null; query: URLSearchParams } {
  const at = target.indexOf('?');
  const path = at === -1 ? target : target.slice(0, at);
  const query = new URLSearchParams(at === -1 ? '' : target.slice(at + 1));
  const plain = path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length) : path;
  try {
    return { segments: segmentsOf(plain).map(decodeURIComponent), query };
  } catch {
    return { segments: null, query };
  }
}

/** The segments of a path. The closing slash is optional. */
const segmentsOf = (path: string): string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith('{');

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i]));

function mostFixed(routes: readonly Route[]): readonly Route[] {
  const fixed = ({ segments }: Route): number => segments.filter((segment) => !isParameter(segment)).length;
  const most = Math.max(...routes.map(fixed));
  return routes.filter((route) => fixed(route) === most);
}

const methodsOf = (routes: readonly Route[]): string[] => [
  ...new Set(routes.map(({ endpoint }) => endpoint.method)),
];

const paramsOf = (pattern: readonly string[], segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pattern.flatMap((part, i) => (isParameter(part) ? [[part.slice(1, -1), segments[i] as string]] : [])),
  );
