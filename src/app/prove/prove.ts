/**
 * Measures on the account what the specification leaves open. Places two orders of the smallest stake, which rest, and closes them. On
 * paper it measures what can be seen without, and says what is left.
 */
import { TouchlineError } from '../../domain/errors.ts';
import type { Micros } from '../../domain/money.ts';
import { reasonOf } from '../../lib/reason.ts';
import { Interrupted } from '../doctor/heartbeat.ts';
import type { ExchangeClient, RequestPattern } from '../exchange/connect.ts';
import { Bench, type ProveOptions, together, type Tried } from './bench.ts';
import { chooseMarket, type Chosen } from './choose-market.ts';
import { AGAINST_KINDS } from './convention.ts';
import type { Evidence, LookupsSeen, OrderSeen } from './evidence.ts';
import { conclusionOf, type Found, judged, visibleIn } from './facts.ts';
import {
  type Betslips,
  measureBetslips,
  measureCounts,
  measureHeartbeat,
  registrationsSeen,
} from './measure-betslips.ts';
import { measureLookups, measureOrder, type Planned } from './measure-orders.ts';
import type { Proof } from './proof-file.ts';

/** Every request of a run. Its client can send no other. */
export const PROVE_REQUESTS: readonly RequestPattern[] = [
  'GET /v2/events/',
  'GET /v2/offers/',
  'GET /v2/betslips/',
  'POST /v2/betslips/',
  'GET /v2/betslips/{betslip_id}/',
  'POST /v2/betslips/{betslip_id}/refresh/',
  'DELETE /v2/betslips/{betslip_id}/',
  'GET /v2/orders/',
  'POST /v2/orders/',
  'GET /v2/orders/tracked/{uuid}/',
  'POST /v2/orders/{order_id}/close/',
  'GET /v2/heartbeats/',
  'POST /v2/heartbeats/',
  'GET /v2/heartbeats/{heartbeat_id}/',
  'POST /v2/heartbeats/{heartbeat_id}/refresh/',
  'DELETE /v2/heartbeats/{heartbeat_id}/',
];

/** What a run found. */
export interface ProveReport extends Proof {
  readonly facts: readonly Found[];
  /** Whether it saw only what needs no order, as on paper. */
  readonly observesOnly: boolean;
  /** The event and the `for` bet type. */
  readonly selection: string;
  readonly price: number;
  readonly stakeMicros: Micros;
  /** What was matched, against all expectation. */
  readonly matchedMicros: Micros;
  readonly requests: number;
  readonly tookMs: number;
}

/**
 * Runs all measurements. Throws TouchlineError `prove` if there is no market for them, if something may be left open, Interrupted after
 * a signal, and the error of a refused key or an unreachable exchange. Whatever happens, it first ends all that it opened.
 */
export async function prove(exchange: ExchangeClient, options: ProveOptions): Promise<ProveReport> {
  const { clock, stakeMicros, wire, signal } = options;
  const startedMs = clock.monotonicMs();
  const bench = new Bench(exchange, options);
  const { evidence, left } = await cleared(bench, signal);
  if (left.length > 0) throw new TouchlineError('prove', leftInWords(left));
  const { sides, price } = evidence.market;
  const matchedMicros = [evidence.against, evidence.lay].reduce(
    (sum, order) => sum + (order.ok ? order.value.matchedMicros : 0),
    0,
  );
  return {
    atMs: clock.wallMs(),
    convention: conclusionOf(evidence).convention,
    visible: visibleIn(evidence),
    facts: judged(evidence),
    observesOnly: options.observesOnly,
    selection: `${sides.for.eventId} ${sides.for.betType}`,
    price,
    stakeMicros,
    matchedMicros,
    requests: wire.requests,
    tookMs: clock.monotonicMs() - startedMs,
  };
}

interface Cleared {
  readonly evidence: Evidence;
  readonly left: readonly string[];
}

/** The measurements, and then the end of all that they opened. */
async function cleared(bench: Bench, signal: AbortSignal): Promise<Cleared> {
  try {
    const evidence = await (bench.options.observesOnly ? observeAll(bench) : measureAll(bench));
    return { evidence, left: await bench.clear() };
  } catch (error) {
    const left = await bench.clear();
    const end = left.length === 0 ? 'nothing is left open' : leftInWords(left);
    if (signal.aborted)
      throw new Interrupted(
        signal,
        end,
        'see "touchline exchange orders" and "touchline exchange heartbeats"',
      );
    if (left.length === 0) throw error;
    throw new TouchlineError('prove', `${reasonOf(error)}; ${end}`, {}, error);
  }
}

const leftInWords = (left: readonly string[]): string => `may be left: ${left.join('; ')}`;

async function measureAll(bench: Bench): Promise<Evidence> {
  const { exchange, options } = bench;
  await bench.synced();
  const before = await bench.tried(async () => (await exchange.betslips.list()).length);
  // Earlier bets show how the exchange writes the status of a bet.
  const earlierOrders = await bench.tried(() => exchange.orders.list({ pageSize: 25 }));
  const market = await chooseMarket(bench);
  bench.follow(market.sides.for);
  const offers = bench.until('the offers of the event', ({ entry }) => entry.tag === 'offer');
  const [betslips, heartbeat] = await together([
    measureBetslips(bench, market),
    measureHeartbeat(bench),
    bench.tried(() => offers),
  ]);
  const { against, lookups } = await measureAgainst(bench, market, betslips);
  const lay = await measureLay(bench, market, betslips);
  const { normal, layFor, layAgainst } = betslips.seen;
  const made = [normal, layFor, layAgainst].filter(({ ok }) => ok).length;
  const counts = await measureCounts(bench, before, made);
  const { stakeMicros, wire } = options;
  return {
    stakeMicros,
    market,
    heartbeat,
    betslips: betslips.seen,
    against,
    lookups,
    lay,
    counts,
    earlierOrders,
    wire,
  };
}

/** Why a fact is not known on paper. */
const LEFT = 'paper asks nothing about an account: left for a live configuration';

async function observeAll(bench: Bench): Promise<Evidence> {
  await bench.synced();
  const market = await chooseMarket(bench);
  bench.follow(market.sides.for);
  await bench.tried(() => bench.until('the offers of the event', ({ entry }) => entry.tag === 'offer'));
  const counts = await bench.tried(async () => ({ ...(await registrationsSeen(bench)), betslips: null }));
  const left = { ok: false, why: LEFT } as const;
  const betslips = { normal: left, layFor: left, layAgainst: left, refresh: left };
  const { stakeMicros, wire } = bench.options;
  return {
    stakeMicros,
    market,
    heartbeat: left,
    betslips,
    against: left,
    lookups: left,
    lay: left,
    counts,
    earlierOrders: left,
    wire,
  };
}

interface AgainstSeen {
  readonly against: Tried<OrderSeen>;
  readonly lookups: Tried<LookupsSeen>;
}

async function measureAgainst(bench: Bench, market: Chosen, { normal }: Betslips): Promise<AgainstSeen> {
  if (!normal.ok) return { against: normal, lookups: normal };
  let lookups: Tried<LookupsSeen> = { ok: false, why: 'no order was placed' };
  const planned: Planned = {
    market: market.sides.against,
    slip: normal.value,
    kinds: AGAINST_KINDS,
    lookUp: async (order, uuid) => {
      lookups = await measureLookups(bench, planned, order, uuid);
    },
  };
  const against = await bench.tried(() => measureOrder(bench, market, planned));
  return { against, lookups };
}

async function measureLay(bench: Bench, market: Chosen, { layFor }: Betslips): Promise<Tried<OrderSeen>> {
  if (!layFor.ok) return layFor;
  const planned: Planned = { market: market.sides.for, slip: layFor.value, kinds: ['lay-for'] };
  return bench.tried(() => measureOrder(bench, market, planned));
}

/** Whether the convention is known, and nothing differs from what is documented. */
export const isProven = ({ convention, facts }: ProveReport): boolean =>
  convention !== null && facts.every(({ verdict }) => verdict !== 'differs');
