import type { Feed, Market, SimOutcome } from '../../core/api.ts';
import { Agenda, type Task } from './agenda.ts';
import { EventRunner } from './event-runner.ts';
import { Fixtures, type Fixture } from './fixtures.ts';
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

class Model implements ModelFeed {
  readonly #options: ModelFeedOptions;
  readonly #agenda = new Agenda();
  readonly #fixtures: Fixtures;
  readonly #runners = new Map<string, EventRunner>();

  constructor(options: ModelFeedOptions) {
    this.#options = options;
    this.#fixtures = new Fixtures(options.seed, options.startWallMs, options.speed);
  }

  start(market: Market, nowMs: number): void {
    for (let i = 0; i < this.#options.events; i++) this.#open(market, nowMs);
  }

  nextDueMs(): number | null {
    return this.#agenda.nextMs();
  }

  advance(market: Market, nowMs: number): void {
    this.#agenda.run(market, nowMs);
  }

  publicFair(at: SimOutcome, nowMs: number): number | null {
    return this.#runners.get(at.eventId)?.publicFair(at.outcome, nowMs) ?? null;
  }

  /** The next fixture of the programme, and its first half where that is traded; another follows when it is settled. */
  #open(market: Market, nowMs: number): void {
    const fixture = this.#fixtures.next(nowMs);
    this.#run(market, fixture, nowMs, (later, dueMs) => {
      this.#fixtures.release(fixture.event);
      this.#open(later, dueMs);
    });
    if (fixture.half !== null) this.#run(market, fixture.half, nowMs, () => undefined);
  }

  #run(market: Market, fixture: Fixture, nowMs: number, then: Task): void {
    const { eventId } = fixture.event;
    const onSettled: Task = (later, dueMs) => {
      this.#runners.delete(eventId);
      then(later, dueMs);
    };
    const runner = new EventRunner(fixture, { agenda: this.#agenda, options: this.#options, onSettled });
    this.#runners.set(eventId, runner);
    runner.open(market, nowMs);
  }
}
