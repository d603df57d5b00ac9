import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { at, type Client, event, football, Harness, KEY, OTHER_KEY, type Wire } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const EVENTS = ['2026-03-01,1,2', '2026-03-01,3,4', '2026-03-01,5,6'];
const KEYS = [KEY, KEY, OTHER_KEY];
/** Lapsing orders have lapsed, and every broadcast is out. */
const QUIET_MS = 7_000;

const eventId = fc.constantFrom(...EVENTS);
const who = fc.constantFrom(0, 1, 2);
const selection = {
  eventId,
  outcome: fc.constantFrom('h', 'd', 'over,2.25'),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(1.5, 1.9, 2, 2.02, 2.1),
};
const level = fc.record({
  kind: fc.constant('level' as const),
  ...selection,
  stake: fc.constantFrom(0, 0, 50, 100),
});
const place = fc.record({
  kind: fc.constant('place' as const),
  ...selection,
  key: fc.constantFrom(...KEYS),
  stake: fc.integer({ min: 1, max: 50 }),
  mode: fc.constantFrom('make_and_take', 'dark'),
  duration: fc.constantFrom(1, 2, 3_000),
});
const command = fc.record({
  kind: fc.constantFrom('register' as const, 'register' as const, 'unregister' as const),
  eventId,
  who,
});
const reconnect = fc.record({ kind: fc.constant('reconnect' as const), who });
const pass = fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 3_000 }) });
const change = fc.record({
  kind: fc.constantFrom('suspend', 'resume', 'resume', 'in running', 'remove', 'back', 'back', 'clear'),
  eventId,
});
const step = fc.oneof(
  { weight: 12, arbitrary: level },
  { weight: 8, arbitrary: place },
  { weight: 8, arbitrary: command },
  { weight: 2, arbitrary: reconnect },
  { weight: 6, arbitrary: pass },
  { weight: 5, arbitrary: change },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The knowledge of a client that believes everything that it receives. */
class Subscriber {
  readonly events = new Map<string, Wire>();
  readonly offers = new Map<string, Wire>();
  readonly registered = new Set<string>();
  readonly orders = new Map<number, Wire>();
  readonly bets = new Set<number>();
  readonly client: Client;
  isSynced = false;
  balance: Wire = null;
  answer: Wire = null;

  constructor(h: Harness, key: string) {
    this.client = h.connect(key);
  }

  read(): void {
    for (const [tag, payload] of this.client.read()) this.#take(tag, payload);
  }

  send(...frame: unknown[]): Wire {
    this.read();
    this.client.send(...frame);
    this.read();
    return this.answer;
  }

  forget(id: string): void {
    this.registered.delete(id);
    for (const name of Array.from(this.offers.keys()))
      if (name.startsWith(`${id} `)) this.offers.delete(name);
  }

  #take(tag: string, payload: Wire): void {
    const name = `${payload?.event_id} ${payload?.bet_type}`;
    if (tag === 'event') this.events.set(payload.event_id, payload);
    if (tag === 'offer') this.offers.set(name, payload);
    if (tag === 'remove_offer') this.offers.delete(name);
    if (tag === 'remove_event') {
      this.events.delete(payload.event_id);
      this.forget(payload.event_id);
    }
    if (tag === 'clear_events') for (const known of [this.events, this.offers]) known.clear();
    if (tag === 'clear_events' || tag === 'sync') this.isSynced = tag === 'sync';
    if (tag === 'order') this.orders.set(payload.order_id, payload);
    if (tag === 'bet') expect(this.bets).not.toContain(payload.bet_id);
    if (tag === 'bet') this.bets.add(payload.bet_id);
    if (tag === 'balance') this.balance = payload;
    if (tag === 'response') this.answer = payload;
  }
}

function run(h: Harness, subscriber: Subscriber[], each: Step): void {
  if (each.kind === 'pass') h.pass(each.ms);
  else if (each.kind === 'reconnect') {
    h.exchange.disconnect(subscriber[each.who]?.client.connection ?? 0);
    subscriber[each.who] = new Subscriber(h, KEYS[each.who] as string);
  } else if (each.kind === 'register' || each.kind === 'unregister')
    say(subscriber[each.who] as Subscriber, each);
  else if ('key' in each) tryPlace(h, each);
  else if ('stake' in each) {
    const { outcome, direction, price, stake } = each;
    h.exchange.market.setLevel('m', at(outcome, each.eventId), direction, price, toMicros(stake), h.nowMs);
  } else runOnMarket(h, each);
}

function say(
  subscriber: Subscriber,
  { kind, eventId: id }: { kind: 'register' | 'unregister'; eventId: string },
): void {
  subscriber.read();
  const wasRegistered = subscriber.registered.has(id);
  if (kind === 'unregister') {
    subscriber.send('unregister_event', 'fb', id);
    return subscriber.forget(id);
  }
  const { status, code } = subscriber.send('register_event', 'fb', id);
  expect(status === 'ok' ? null : code).toBe(wasRegistered ? 'already_registered' : null);
  subscriber.registered.add(id);
}

function tryPlace(h: Harness, each: Extract<Step, { key: string }>): void {
  const bet = { sport: 'fb', event_id: each.eventId, bet_type: `${each.direction},${each.outcome}` };
  const betslip = h.call('POST', '/v2/betslips/', bet, each.key);
  if (betslip.status !== 201) return;
  const { price, duration, mode } = each;
  const terms = { price, stake: ['USDT', each.stake], duration, exchange_mode: mode };
  h.call('POST', '/v2/orders/', { betslip_id: betslip.data.betslip_id, ...terms }, each.key);
}

function runOnMarket({ exchange: { market }, nowMs }: Harness, { kind, eventId: id }: Wire): void {
  if (kind === 'suspend' || kind === 'resume') market.setSuspended(football(id), kind === 'suspend', nowMs);
  if (kind === 'in running') market.goInRunning(football(id), nowMs);
  if (kind === 'remove') market.removeEvent(football(id), nowMs);
  if (kind === 'back') market.putEvent(event({ eventId: id }), nowMs);
  if (kind === 'clear') market.clear(nowMs);
}

/** Compares a client's offers with what REST would answer. Returns the number of offers. */
function compare(h: Harness, subscriber: Subscriber, key: string): number {
  const ask = (target: string): Wire => h.call('GET', `/v2/${target}`, undefined, key).data;
  const { data } = subscriber.send('list_registered_events');
  expect(new Set(data.registered_events.map(([, id]: [string, string]) => id))).toEqual(
    subscriber.registered,
  );
  expect(subscriber.isSynced).toBe(true);
  for (const each of ask('events/')) expect(subscriber.events.get(each.event_id)).toEqual(each);
  const offers = [...subscriber.registered].flatMap((id) => ask(`offers/?sport=fb&event_id=${id}`));
  expect([...subscriber.offers.values()]).toHaveLength(offers.length);
  for (const each of offers) expect(subscriber.offers.get(`${each.event_id} ${each.bet_type}`)).toEqual(each);
  expect(subscriber.balance).toEqual(ask('balance/'));
  for (const order of subscriber.orders.values()) expect(ask(`orders/${order.order_id}/`)).toEqual(order);
  return offers.length;
}

it('sends each client on its stream what REST would answer', () => {
  let compared = 0;
  const limits = { ...UNLIMITED.limits, offersInFlight: 1e9 } as NonNullable<typeof UNLIMITED.limits>;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 30, maxLength: 100, size: 'max' }),
      fc.constantFrom(0, 1_500),
      (steps, warmupMs) => {
        const h = new Harness({ settings: { ...UNLIMITED, limits, warmupMs }, priced: false });
        const subscriber = KEYS.map((key) => new Subscriber(h, key));
        for (const id of EVENTS) h.exchange.market.putEvent(event({ eventId: id }), h.nowMs);
        for (const each of steps) run(h, subscriber, each);
        h.pass(QUIET_MS);
        for (const each of subscriber) each.read();
        for (const [i, each] of subscriber.entries()) compared += compare(h, each, KEYS[i] as string);
      },
    ),
    { numRuns: 120 },
  );
  expect(compared).toBeGreaterThan(100);
});
