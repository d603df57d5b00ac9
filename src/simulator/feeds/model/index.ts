import { toMicros } from '../../../domain/money.ts';
import type { EventResult, Feed, Intervention, Market, SimEventName, SimOutcome } from '../../core/api.ts';
import { eventKey } from '../../core/catalogue.ts';
import { Agenda, type Task } from './agenda.ts';
import { EventRunner, type Lull, type RunnerContext } from './event-runner.ts';
import { type Fixture, Fixtures } from './fixtures.ts';
import { DEFAULTS, type ModelFeedOptions } from './options.ts';

export type { ModelFeedOptions } from './options.ts';

/** A feed that also tells what its model holds to be true. */
export interface ModelFeed extends Feed {
  /** Fair log-odds of an outcome as publicly known, the point from which takers' distances count; null when untraded. */
  publicFair(at: SimOutcome, nowMs: number): number | null;
}

/**
 * A seeded market: fixtures in several sports through the day, each driven by a hidden state that drifts before the
 * start and is played out after it; background makers that quote every selection of an event from the same state;
 * takers that arrive as a Poisson process and accept a random distance from fair; and informed takers who know a few
 * seconds early. The same seed, options and market answers give the same calls.
 */
export function createModelFeed(
  options: Partial<ModelFeedOptions> & Pick<ModelFeedOptions, 'seed' | 'startWallMs'>,
): ModelFeed {
  return new Model({ ...DEFAULTS, ...options });
}

const NOTHING = (): void => undefined;

/** An event that runs: a match, with its first half where that is traded, or that half. */
interface Running {
  readonly own: EventRunner;
  readonly match: EventRunner;
  readonly half: EventRunner | null;
}

class Model implements ModelFeed {
  readonly #options: ModelFeedOptions;
  readonly #agenda = new Agenda();
  readonly #fixtures: Fixtures;
  /** By the key of the event, those of first halves included, until their results are known. */
  readonly #running = new Map<string, Running>();
  readonly #lull: Lull = { untilMs: -Infinity };
  /** Fixtures that ended in the lull and have no successor yet. */
  #vacant = 0;

  constructor(options: ModelFeedOptions) {
    this.#options = options;
    this.#fixtures = new Fixtures(options);
  }

  start(market: Market, nowMs: number): void {
    const { makers, makerMinimums } = this.#options;
    for (const { name, minStake } of makers) market.setMinimum(name, toMicros(minStake * makerMinimums));
    for (let i = 0; i < this.#options.events; i++) this.#open(market, nowMs);
  }

  nextDueMs(): number | null {
    return this.#agenda.nextMs();
  }

  advance(market: Market, nowMs: number): void {
    this.#agenda.run(market, nowMs);
  }

  lull(untilMs: number): void {
    this.#lull.untilMs = untilMs;
    // In two steps, so that it comes after the matches' own last step of the same instant.
    this.#agenda.at(untilMs, (_market, nowMs) => {
      this.#agenda.at(nowMs, (market, dueMs) => this.#wake(market, dueMs));
    });
  }

  publicFair(at: SimOutcome, nowMs: number): number | null {
    return this.#running.get(eventKey(at))?.own.publicFair(at.outcome, nowMs) ?? null;
  }

  intervene(market: Market, event: SimEventName, act: Intervention, nowMs: number): boolean {
    const running = this.#running.get(eventKey(event));
    if (running === undefined) return false;
    switch (act.kind) {
      case 'goal':
        return score(market, running, act.side === 'home' ? 0 : 1, nowMs);
      case 'suspend':
        running.own.hold(market, nowMs);
        return true;
      case 'resume':
        running.own.release(market, nowMs);
        return true;
      case 'in_running':
        kickOff(market, running, nowMs);
        return true;
      case 'end':
        end(market, running, act.result, nowMs);
        return true;
    }
  }

  #wake(market: Market, nowMs: number): void {
    for (const { own } of [...this.#running.values()]) own.wake(market, nowMs);
    for (; this.#vacant > 0; this.#vacant--) this.#open(market, nowMs);
  }

  /** The next fixture of the programme, and its first half where that is traded; another follows when it is settled. */
  #open(market: Market, nowMs: number): void {
    const fixture = this.#fixtures.next(nowMs);
    const half = fixture.half === null ? null : this.#newRunner(fixture.half, NOTHING, NOTHING);
    const settled: Task = (later, dueMs) => {
      this.#fixtures.release(fixture.event);
      if (dueMs < this.#lull.untilMs) this.#vacant++;
      else this.#open(later, dueMs);
    };
    const match = this.#newRunner(fixture, settled, (...incident) => half?.follow(...incident));
    for (const own of [match, half]) {
      if (own !== null) this.#running.set(eventKey(own.event), { own, match, half });
      own?.open(market, nowMs);
    }
  }

  #newRunner(fixture: Fixture, then: Task, onIncident: RunnerContext['onIncident']): EventRunner {
    const onSettled: Task = (later, dueMs) => {
      this.#running.delete(eventKey(fixture.event));
      then(later, dueMs);
    };
    const own = { agenda: this.#agenda, options: this.#options, lull: this.#lull };
    return new EventRunner(fixture, { ...own, onIncident, onSettled });
  }
}

/** A goal in the first half is one of the match, whichever of the two it was given for. */
function score(market: Market, { match, half }: Running, team: 0 | 1, nowMs: number): boolean {
  const isTaken = match.goal(market, team, nowMs);
  half?.goal(market, team, nowMs);
  return isTaken;
}

/** Both have the same clock. */
function kickOff(market: Market, { match, half }: Running, nowMs: number): void {
  match.start(market, nowMs);
  half?.start(market, nowMs);
}

/** A match that ends takes a first half with it that is still open; a first half ends alone. */
function end(market: Market, { own, match, half }: Running, result: EventResult | null, nowMs: number): void {
  own.end(market, result, nowMs);
  if (own === match) half?.end(market, halfTimeOf(result), nowMs);
}

function halfTimeOf(result: EventResult | null): EventResult | null {
  if (result?.kind !== 'score') return null;
  const { halfTimeHome, halfTimeAway } = result;
  return { ...result, home: halfTimeHome, away: halfTimeAway };
}
