import type { Feed, Market } from './api.ts';

/** The calls of a market that an observer replaces; it passes them on itself. */
export type Observed = (market: Market) => Partial<Market>;

/** The same feed on an observed market. */
export function observedFeed(feed: Feed, observed: Observed): Feed {
  const seen = new WeakMap<Market, Market>();
  const under = (market: Market): Market => {
    const known = seen.get(market) ?? observedMarket(market, observed(market));
    seen.set(market, known);
    return known;
  };
  return {
    start: (market, nowMs) => feed.start(under(market), nowMs),
    nextDueMs: () => feed.nextDueMs(),
    advance: (market, nowMs) => feed.advance(under(market), nowMs),
  };
}

function observedMarket(market: Market, changed: Partial<Market>): Market {
  const bound = new Map<PropertyKey, unknown>(Object.entries(changed));
  return new Proxy(market, {
    get(target, name) {
      if (!bound.has(name)) {
        const member: unknown = Reflect.get(target, name);
        bound.set(name, typeof member === 'function' ? (member.bind(target) as unknown) : member);
      }
      return bound.get(name);
    },
  });
}
