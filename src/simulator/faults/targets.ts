/** The requests that a fault can name, as `METHOD path-after-/v2/` with `*` for one path segment. */
const ROUTES = [
  ['betslips.list', 'GET betslips'],
  ['betslips.create', 'POST betslips'],
  ['betslips.get', 'GET betslips/*'],
  ['betslips.delete', 'DELETE betslips/*'],
  ['betslips.refresh', 'POST betslips/*/refresh'],
  ['orders.list', 'GET orders'],
  ['orders.create', 'POST orders'],
  ['orders.updates', 'GET orders/updates'],
  ['orders.position', 'GET orders/position'],
  ['orders.tracked', 'GET orders/tracked/*'],
  ['orders.close_many', 'POST orders/close_many'],
  ['orders.close_all', 'POST orders/close_all'],
  ['orders.close', 'POST orders/*/close'],
  ['orders.get', 'GET orders/*'],
  ['heartbeats.list', 'GET heartbeats'],
  ['heartbeats.create', 'POST heartbeats'],
  ['heartbeats.get', 'GET heartbeats/*'],
  ['heartbeats.delete', 'DELETE heartbeats/*'],
  ['heartbeats.refresh', 'POST heartbeats/*/refresh'],
  ['balance', 'GET balance'],
  ['xrates', 'GET xrates'],
  ['events', 'GET events'],
  ['offers', 'GET offers'],
  ['bet_type', 'GET sports/*/bet_types/*'],
] as const;

export type RequestName = (typeof ROUTES)[number][0] | 'other';

export const REQUEST_NAMES: readonly RequestName[] = [...ROUTES.map(([name]) => name), 'other'];

const PATTERNS = ROUTES.map(([name, pattern]) => [name, pattern.split('/')] as const);

/** Names a request by its method and target alone; `other` when the specification has no such request. */
export function requestName(method: string, target: string): RequestName {
  const path = (target.split('?', 1)[0] ?? '').replace(/^(\/magic-api)?\/v2\//, '').replace(/\/$/, '');
  const segments = `${method.toUpperCase()} ${path}`.split('/');
  return PATTERNS.find(([, pattern]) => fits(pattern, segments))?.[0] ?? 'other';
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, i) => part === '*' || part === segments[i])
  );
}

/** Whether a target (`orders.create`, `orders.*`, `rest` for every request) covers a request. */
export function coversRequest(target: string, name: RequestName): boolean {
  return (
    target === 'rest' || target === name || (target.endsWith('.*') && name.startsWith(target.slice(0, -1)))
  );
}

/** Whether a target (`stream.offer`, `stream.*`) covers a stream entry of this tag. */
export function coversEntry(target: string, tag: string): boolean {
  return target === 'stream.*' || target === `stream.${tag}`;
}

/** Whether a target names at least one request. */
export function isRequestTarget(target: string): boolean {
  return REQUEST_NAMES.some((name) => coversRequest(target, name));
}
