/** A modelled match of football, played in play by a whole daemon, on virtual time. */
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { accountsOf } from '../../src/app/simulated/simulation.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { seededRandom, uniformBetween } from '../../src/lib/random.ts';
import type { SimEventName } from '../../src/simulator/core/api.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import { createModelFeed, type Incident, type ModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { uniformLatency } from '../../src/simulator/in-process/delay-line.ts';
import { type InProcessExchange, inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { type DaemonChoice, KEY, type RunningDaemon, startDaemon } from './daemon.ts';
import { kindOf, lossesOf, type Surprise, type SurpriseLoss } from './losses.ts';
import type { ScoreCounts } from './scores.ts';

export interface MatchChoice extends DaemonChoice {
  readonly seed: number;
}

export interface PlayedMatch {
  readonly losses: readonly SurpriseLoss[];
  readonly scores: ScoreCounts;
}

/** A match takes a twentieth of its time, and its trading stays as it is: what happens around a goal is that of a real minute. */
export const SPEED = 20;
/** Takers know of a goal this long before the market is told. */
const LEAD_MS = [1_000, 10_000] as const;
const TAKERS = 12;
/** Of goals: more than in real matches, so that there are enough of them. Each is annulled once the daemon quotes again. */
const ANNULLED = { annulledShare: 0.12, annulledAfterS: [200, 600] } as const;
const STARTS_IN_MINUTES = 2;
const START_MS = Date.parse('2026-03-01T12:00:00Z');
const LATENCY_MS = [10, 60] as const;
const BALANCE_USDT = 100_000;
const STEP_MS = 1_000;
const LONGEST_MS = 20 * 60_000;
/** Suspensions that nothing led to: when they begin, from the start of the market, and how long they last. */
const ALONE_MS = [
  [60_000, 120_000],
  [200_000, 280_000],
] as const;
const ALONE_LASTS_MS = 8_000;
/** Fills in as long a time before them are those that come anyway. */
const ALONE_LEAD_MS = (LEAD_MS[0] + LEAD_MS[1]) / 2;

/** Plays a match from shortly before its start to its end. */
export async function playMatch(choice: MatchChoice): Promise<PlayedMatch> {
  const match = new Match(choice.seed);
  const daemon = await startDaemon(choice, match);
  try {
    await match.play(daemon);
    return { losses: match.losses(), scores: daemon.scores.counts };
  } finally {
    daemon.release();
    match.wires.host.close();
  }
}

class Match {
  readonly seed: number;
  readonly clock = new VirtualClock(START_MS);
  readonly wires: InProcessExchange;
  readonly #exchange: Exchange;
  readonly #feed: ModelFeed;
  readonly #surprises: Surprise[] = [];
  #last: Incident | null = null;

  constructor(seed: number) {
    this.seed = seed;
    this.#feed = createModelFeed({
      seed,
      startWallMs: START_MS,
      speed: SPEED,
      events: 1,
      opening: [['fb', STARTS_IN_MINUTES]],
      sequence: [],
      incidents: { announceMs: LEAD_MS, takers: TAKERS, ...ANNULLED },
      onIncident: (incident) => this.#note(incident),
    });
    this.#exchange = createExchange({
      accounts: accountsOf([KEY], BALANCE_USDT),
      feeds: [this.#feed],
      parseBetType,
      random: seededRandom(seed, 'exchange'),
      startMs: START_MS,
      settings: { eventStakeLimitMicros: null },
    });
    const latency = uniformLatency(seededRandom(seed, 'latency'), ...LATENCY_MS);
    this.wires = inProcessTransports({ core: this.#exchange, clock: this.clock, latency });
  }

  /** Plays to the end. Throws what the daemon fails of. */
  async play({ failure }: Pick<RunningDaemon, 'failure'>): Promise<void> {
    const random = seededRandom(this.seed, 'suspensions');
    const alone = ALONE_MS.map(([least, most]) => START_MS + uniformBetween(random, least, most));
    for (let atMs = START_MS; atMs < START_MS + LONGEST_MS; atMs += STEP_MS) {
      await this.clock.advance(STEP_MS);
      const failed = failure();
      if (failed !== null) throw new Error('the daemon cannot continue', { cause: failed.error });
      if (this.#event() === null) return;
      if (alone.some((suspendMs) => suspendMs >= atMs && suspendMs < atMs + STEP_MS)) this.#suspendAlone();
    }
    throw new Error(`the match of seed ${this.seed} does not end`);
  }

  losses(): SurpriseLoss[] {
    return lossesOf(this.#surprises, this.#exchange.inspect().orders);
  }

  #event(): SimEventName | null {
    return this.#exchange.inspectEvents().find(({ phase }) => phase === 'live') ?? null;
  }

  #note(incident: Incident): void {
    const { atMs, announcedMs, fair } = incident;
    const kind = kindOf(incident, this.#last);
    this.#last = incident;
    this.#surprises.push({ kind, atMs, announcedMs, fairOf: (outcome) => fair.get(outcome) ?? null });
  }

  /** Suspends the market, unless an incident does or has just done so. */
  #suspendAlone(): void {
    const event = this.#event();
    const announcedMs = this.clock.wallMs();
    const atMs = announcedMs - ALONE_LEAD_MS;
    if (event === null || !this.#isCalm(event, atMs)) return;
    const betTypes = this.#exchange.inspect().orders.map(({ betType }) => betType);
    const outcomes = new Set(betTypes.map((betType) => betType.slice(betType.indexOf(',') + 1)));
    const fair = new Map(
      Array.from(outcomes, (outcome) => [outcome, this.#feed.publicFair({ ...event, outcome })]),
    );
    const fairOf: Surprise['fairOf'] = (outcome) => fair.get(outcome) ?? null;
    this.#surprises.push({ kind: 'suspension alone', atMs, announcedMs, fairOf });
    this.#intervene(event, 'suspend');
    this.clock.after(ALONE_LASTS_MS, () => this.#intervene(event, 'resume'));
  }

  #isCalm(event: SimEventName, sinceMs: number): boolean {
    const { market } = this.#exchange;
    const wasCalm = this.#last === null || this.#last.announcedMs < sinceMs;
    return wasCalm && market.isInRunning(event) && !market.isSuspended(event);
  }

  #intervene(event: SimEventName, kind: 'suspend' | 'resume'): void {
    this.wires.host.run((nowMs) => this.#exchange.intervene(event, { kind }, nowMs));
  }
}
