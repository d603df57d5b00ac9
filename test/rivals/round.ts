import { integerBetween, type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { reasonOf } from '../../src/lib/reason.ts';
import { drawMarket, type MarketPlan } from '../sim/markets.ts';
import { pick, type SimPlan } from '../sim/plan.ts';
import { type StartOptions, Trader } from '../sim/trader.ts';
import { World } from '../sim/world.ts';
import { Referee, seconds } from './referee.ts';

/** How the figures of several rounds are combined. */
export type Kind = 'sum' | 'most';

export interface Figure {
  readonly name: string;
  readonly kind: Kind;
  readonly value: number;
}

/** The result of a round. */
export interface Outcome {
  readonly seed: number;
  /** The first broken rule, with its time; null for none. */
  readonly miss: string | null;
  readonly figures: readonly Figure[];
  /** The parts of the round. */
  readonly drawn: string;
  /** The logs of the traders, of a round with a miss. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
}

/** A round ends at its first miss. */
class Over extends Error {}

const STEP_MS = 1_000;
const PATIENCE_MS = 900_000;
const LINGER_S = 60;
/** A status names passing reasons before lasting ones. */
const REPORTED_MS = 10_000;

/**
 * An exchange, an account, and traders that start and end on it, on one virtual clock. Everything is drawn from a seed.
 */
export class Round {
  readonly random: Random;
  readonly world: World;
  readonly referee: Referee;
  /** The longer of the heartbeat's timeout and the orders' time to live. */
  readonly lapseMs: number;
  /** An installation counts as present for this long after it placed an order. */
  readonly lingerMs: number;
  /** The longest time between two refreshes of a heartbeat. */
  readonly refreshMs: number;
  readonly #plan: SimPlan;
  readonly #traders: Trader[] = [];
  readonly #figures: Figure[] = [];
  readonly #refreshRatio: number;
  /** Traders that have to wait. */
  readonly #waiting = new Set<Trader>();
  #miss: string | null = null;

  constructor(seed: number) {
    this.random = seededRandom(seed, 'round');
    this.#plan = drawPlan(seed, this.random);
    this.#refreshRatio = uniformBetween(this.random, 0.25, 0.5);
    const { heartbeatS, durationS } = this.#plan.daemon;
    this.lapseMs = Math.max(heartbeatS, durationS) * 1000;
    this.lingerMs = this.lapseMs + LINGER_S * 1000;
    this.refreshMs = heartbeatS * this.#refreshRatio * 1000;
    this.world = new World(this.#plan);
    this.referee = new Referee(this.world, this, (what) => this.#missed(what));
  }

  /** Plays a scenario until it is over or a rule is broken. */
  async play(scenario: (round: Round) => Promise<void>): Promise<Outcome> {
    try {
      await scenario(this);
    } catch (error) {
      if (!(error instanceof Over)) this.#missed(String(error));
    }
    this.world.wires.host.close();
    const { world, daemon } = this.#plan;
    const { heartbeatS, durationS, strategy } = daemon;
    const market = world.market?.name ?? 'as modelled';
    const drawn = `H ${heartbeatS} s, D ${durationS} s, refreshed after ${seconds(this.refreshMs)}, latency ${world.latencyMs.join('-')} ms, market ${market}, ${strategy}`;
    const traders = this.#miss === null ? [] : this.#traders;
    const logs = new Map(traders.map(({ name, log }) => [name, log]));
    return { seed: this.#plan.seed, miss: this.#miss, figures: this.#figures, drawn, logs };
  }

  /** A machine with a disk of its own. */
  trader(name: string, settings: Readonly<Record<string, string>> = {}): Trader {
    return this.#watched(new Trader(this.world, this.#optionsOf(name, settings)), null);
  }

  /** A machine whose disk is a copy of another's present disk. */
  copyOf(original: Trader, name: string): Trader {
    return this.#watched(new Trader(this.world, this.#optionsOf(name, {}), original), original);
  }

  async begin(trader: Trader, options: StartOptions = {}): Promise<void> {
    if (options.takesOver === true) this.referee.takesOver(trader);
    await trader.begin(options);
  }

  /** From now on the trader is not ready, has no order open, and requests neither betslips nor heartbeats. */
  waits(trader: Trader): void {
    this.#waiting.add(trader);
    this.referee.waits(trader);
  }

  waitsNoMore(trader: Trader): void {
    this.#waiting.delete(trader);
    this.referee.waitsNoMore(trader);
  }

  /**
   * Its status names the other that it waits for, and since when. For moments it may name a reason that ends sooner.
   */
  async reports(trader: Trader, named: readonly string[]): Promise<void> {
    const missing = (): readonly string[] =>
      [...named, 'since 2'].filter((each) => !trader.blockage.includes(each));
    for (let waitedMs = 0; missing().length > 0 && waitedMs < REPORTED_MS; waitedMs += STEP_MS)
      await this.#step(STEP_MS);
    const what = `the status of the ${trader.name} does not name ${missing().join(', ')}: ${trader.blockage}`;
    this.holds(missing().length === 0, what);
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    while (this.nowMs < untilMs) await this.#step(Math.min(STEP_MS, untilMs - this.nowMs));
  }

  /** Moves time until a condition holds. The round misses when the time is over first. Returns the elapsed time. */
  async until(what: string, isSo: () => boolean, withinMs = PATIENCE_MS): Promise<number> {
    const sinceMs = this.nowMs;
    while (!isSo()) {
      if (this.nowMs - sinceMs >= withinMs) this.#missed(`${what}: not within ${seconds(withinMs)}`);
      await this.#step(Math.min(STEP_MS, Math.max(1, sinceMs + withinMs - this.nowMs)));
    }
    return this.nowMs - sinceMs;
  }

  holds(isSo: boolean, otherwise: string): void {
    if (!isSo) this.#missed(otherwise);
    this.#endIfMissed();
  }

  figure(name: string, kind: Kind, value: number): void {
    this.#figures.push({ name, kind, value });
  }

  get nowMs(): number {
    return this.world.clock.monotonicMs();
  }

  /** Monotonic instant of the first order that a trader placed since then; null for none. */
  firstOrderMs(trader: Trader, sinceMs: number): number | null {
    const { startMs } = this.world;
    const first = this.referee.ordersOf(trader).find(({ createdMs }) => createdMs - startMs >= sinceMs);
    return first === undefined ? null : first.createdMs - startMs;
  }

  #watched(trader: Trader, heirOf: Trader | null): Trader {
    this.#traders.push(trader);
    this.referee.watch(trader, heirOf);
    return trader;
  }

  #optionsOf(name: string, settings: Readonly<Record<string, string>>) {
    const { seed, daemon, world } = this.#plan;
    return {
      name,
      seed,
      daemon,
      betslipsPerDay: world.betslipsPerDay,
      settings: { 'orders.heartbeat.refreshRatio': this.#refreshRatio.toFixed(3), ...settings },
    };
  }

  async #step(ms: number): Promise<void> {
    const { world } = this;
    const untilMs = this.nowMs + ms;
    let seen = -1;
    do {
      if (world.activity !== seen) this.referee.look();
      seen = world.activity;
      this.#endIfMissed();
    } while (await world.clock.runNext(untilMs));
    await world.clock.advance(untilMs - this.nowMs);
    this.#lookAtTraders();
    this.#endIfMissed();
  }

  #lookAtTraders(): void {
    for (const { name, run } of this.#traders)
      if (run !== null && run.failure !== null) this.#missed(`the ${name} ended: ${reasonOf(run.failure)}`);
    for (const trader of this.#waiting) {
      if (trader.isReady) this.#missed(`the ${trader.name} says that it is ready, and has to wait`);
      const [open] = this.referee.openOf(trader);
      if (open !== undefined) this.#missed(`the ${trader.name} has order ${open.orderId}, and has to wait`);
    }
  }

  #missed(what: string): void {
    this.#miss ??= `${what} (at ${seconds(this.nowMs)})`;
  }

  #endIfMissed(): void {
    if (this.#miss !== null) throw new Over();
  }
}

/** A time drawn from a range. */
export const between = uniformBetween;

function drawPlan(seed: number, random: Random): SimPlan {
  const market = pick(random, [null, 'rush', 'busy', 'thin']);
  return {
    seed,
    activeS: 0,
    acts: [],
    faults: [],
    world: {
      events: integerBetween(random, 3, 5),
      speed: 1,
      latencyMs: pick(random, [
        [1, 5],
        [10, 60],
        [50, 400],
      ] as const),
      openBetslips: 50,
      betslipsPerDay: 2_000,
      ...(market === null ? {} : { market: marketOf(random, market) }),
    },
    daemon: {
      strategy: pick(random, ['symmetric', 'symmetric', 'inventory', 'guarded-ladder']),
      durationS: pick(random, [10, 15, 30, 60]),
      heartbeatS: pick(random, [10, 15, 30, 60]),
      maxSelections: integerBetween(random, 2, 4),
      // Markets need no wait for their matches.
      inPlay: true,
      eventLimitUsdt: 4_000,
    },
  };
}

function marketOf(random: Random, name: string): MarketPlan {
  for (;;) {
    const { market } = drawMarket(random);
    if (market.name === name) return market;
  }
}
