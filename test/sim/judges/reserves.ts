import type { SimEventName } from '../../../src/simulator/core/api.ts';
import { eventKey } from '../../../src/simulator/core/catalogue.ts';
import { isOver, type Kind, kindOf } from '../order-terms.ts';
import { isCreate, type SentRequest } from '../witness.ts';
import type { Border, MakeJudgement } from './judge.ts';

/** A bucket with a part reserved for requests that reduce risk. */
interface Reserved {
  readonly burst: number;
  readonly perSecond: number;
  readonly kept: number;
}

/** The most that the daemon spends: at once a fifth less than the exchange allows, with the exchange's refill. */
const RESERVED: Readonly<Record<string, Reserved>> = {
  'POST /v2/orders/': { burst: 4, perSecond: 5, kept: 1 },
  'POST /v2/betslips/': { burst: 8, perSecond: 10, kept: 2 },
};
/** The budget of every other request: a part of it is always left for closes and heartbeats. */
const GENERAL: Reserved = { burst: 70, perSecond: 20, kept: 20 };
/** Requests that are never urgent, and never reduce risk. */
const NORMAL =
  /^GET \/v2\/(balance|events|offers|orders\/position|sports)\b|^POST \/v2\/betslips\/[^/]+\/refresh\/$/;
/** The least reserve of a simulated day's betslips. The daemon keeps more, and does not count unsent requests. */
const KEPT_OF_THE_DAY = 5;
const DAY_MS = 24 * 3_600_000;
/** Whether a request reduces is decided when it joins the queue for its budget. */
const LONGEST_LINE_MS = 15_000;
/** Orders live longer than this, so a check at this interval sees them. */
const LOOK_EVERY_MS = 500;
/** Fractions of a token. */
const EXACTNESS = 0.01;

/** A token bucket, full at first. It may be overdrawn. */
class Bucket {
  readonly #reserved: Reserved;
  #level: number;
  #atMs: number;

  constructor(reserved: Reserved, atMs = 0) {
    this.#reserved = reserved;
    this.#level = reserved.burst;
    this.#atMs = atMs;
  }

  /** Whether the reserve is still whole after this request. */
  take(atMs: number): boolean {
    const { burst, perSecond, kept } = this.#reserved;
    const refilled = ((atMs - this.#atMs) / 1000) * perSecond;
    this.#level = Math.min(burst, this.#level + refilled) - 1;
    this.#atMs = atMs;
    return this.#level >= kept - EXACTNESS;
  }
}

/** The instants of the last 24 h. */
class Rolling {
  readonly #atMs: number[] = [];
  #from = 0;

  /** The number with this one included. */
  add(atMs: number): number {
    this.#atMs.push(atMs);
    while ((this.#atMs[this.#from] ?? atMs) < atMs - DAY_MS) this.#from++;
    return this.#atMs.length - this.#from;
  }
}

/**
 * 21: requests that certainly do not reduce risk leave the reserves alone. An order cannot reduce where nothing is
 * matched and only orders of its own bet type and kind were open of late. A betslip cannot reduce where nothing was open. Each
 * run has at most one full bucket of the general budget.
 */
export const reservesAreKept: MakeJudgement = ({ world, plan, journal, fail }) => {
  const buckets = new Map(Object.entries(RESERVED).map(([what, each]) => [what, new Bucket(each)]));
  const day = new Rolling();
  const matched = new Set<string>();
  /** When an order was last active, by event, bet type and what its price is: a lay order offsets one on its own bet type. */
  const active = new Map<string, Map<string, number>>();

  const marketOf = (order: { readonly betType: string; readonly priceKind?: Kind }): string =>
    `${order.betType} ${kindOf(order)}`;
  const see = (order: SimEventName & { readonly betType: string; readonly priceKind?: Kind }): void => {
    const key = eventKey(order);
    const types = active.get(key) ?? new Map<string, number>();
    active.set(key, types.set(marketOf(order), world.clock.monotonicMs()));
  };
  const isAlone = (event: SimEventName, market: string | null): boolean => {
    const sinceMs = world.clock.monotonicMs() - LONGEST_LINE_MS;
    const key = eventKey(event);
    const others = [...(active.get(key) ?? [])].filter(([other, atMs]) => other !== market && atMs > sinceMs);
    return !matched.has(key) && others.length === 0;
  };
  // An order that is unwanted before it leaves counts for milliseconds only.
  const lookAtRun = (): void => {
    for (const order of world.run?.composed.parts.orders.orders() ?? []) if (!isOver(order.state)) see(order);
  };
  // The run may not have received the end of a manual order.
  const lookAtOthers = (): void => {
    for (const order of world.run?.composed.parts.orders.status().foreign ?? []) see(order);
  };
  let lookedMs = -Infinity;
  const look = (): void => {
    lookedMs = world.clock.monotonicMs();
    for (const order of world.orders.open()) see(order);
  };
  const reducesNothing = (sent: SentRequest): boolean => {
    const body = JSON.parse(sent.body ?? '{}') as {
      request_uuid?: string;
      sport?: string;
      event_id?: string;
    };
    if (!isCreate(sent)) return isAlone({ sport: body.sport ?? '', eventId: body.event_id ?? '' }, null);
    const place = journal.intended.get(body.request_uuid ?? '')?.place;
    return place !== undefined && isAlone(place, marketOf(place));
  };

  let witness: Border['witness'] | null = null;
  let general = new Bucket(GENERAL);
  const drawOnGeneral = ({ what, atMs }: SentRequest, run: Border): void => {
    if (witness !== run.witness) general = new Bucket(GENERAL, atMs);
    ({ witness } = run);
    const isWhole = general.take(atMs);
    if (!isWhole && NORMAL.test(what)) fail('21 reserves', `${what} took from the general reserve`);
  };

  return {
    onSent(sent, run) {
      if (world.wires.host.isNetworkDown) return;
      const bucket = buckets.get(sent.what);
      if (bucket === undefined) return drawOnGeneral(sent, run);
      const isWhole = bucket.take(sent.atMs);
      const ofTheDay = isCreate(sent) ? 0 : day.add(sent.atMs);
      const isDayWhole = ofTheDay <= plan.world.betslipsPerDay - KEPT_OF_THE_DAY;
      if (isWhole && isDayWhole) return;
      lookAtRun();
      lookAtOthers();
      look();
      if (reducesNothing(sent))
        fail('21 reserves', `${sent.what} took from the reserve ${isWhole ? 'of the day' : 'of the moment'}`);
    },
    onEvent(changed) {
      for (const order of changed) if (order.fills.length > 0) matched.add(eventKey(order));
      lookAtRun();
      if (world.clock.monotonicMs() >= lookedMs + LOOK_EVERY_MS) look();
    },
  };
};
