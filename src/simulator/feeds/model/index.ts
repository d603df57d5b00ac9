import { toMicros } from '../../../domain/money.ts';
import type { Feed, Intervention, Market, SimEventName, SimOutcome } from '../../core/api.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import { eventKey } from '../../core/catalogue.ts';
import { Agenda, type Task } from './agenda.ts';
import { CROWD } from './crowd.ts';
import { EventRunner, type Lull, type RunnerContext } from './event-runner.ts';
import { type Fixture, Fixtures } from './fixtures.ts';
import { DEFAULTS, type ModelFeedOptions } from './options.ts';

export type { Incident, ModelFeedOptions } from './options.ts';

/** A feed that also reports the fair prices of its model. */
export interface ModelFeed extends Feed {
  /** Fair log-odds of an outcome as publicly known, the point from which takers' distances count; null when untraded. */
  publicFair(at: SimOutcome): number | null;
}

/**
 * A seeded market of fixtures in several sports through the day. A hidden state drives each event: it drifts before the
 * start and is played out after it. Background makers quote the event's selections from the same state. Takers arrive as
 * a Poisson process and accept a random distance from fair. Informed takers know the state a few seconds early. The same
 * seed, options and market answers give the same calls.
 */
export function createModelFeed(
  options: Partial<ModelFeedOptions> & Pick<ModelFeedOptions, 'seed' | 'startWallMs'>,
): ModelFeed {
  return new Model({ ...DEFAULTS, ...options });
}

const NOTHING = (): void => undefined;

/** A running event: a match with its first half (null when that is not traded), or that first half. */
interface Running {
  readonly own: EventRunner;
  readonly match: EventRunner;
  readonly half: EventRunner | null;
}

class Model implements ModelFeed {
  readonly #options: ModelFeedOptions;
  readonly #agenda = new Agenda();
  readonly #fixtures: Fixtures;
  /** Running events by event key, first halves included, until their results are known. */
  readonly #running = new Map<string, Running>();
  readonly #lull: Lull = { untilMs: -Infinity };
  /** Number of fixtures that ended in the lull and have no successor yet. */
  #vacant = 0;

  constructor(options: ModelFeedOptions) {
    this.#options = options;
    this.#fixtures = new Fixtures(options);
  }

  start(market: Market, nowMs: number): void {
    const { makers, makerMinimums } = this.#options;
    for (const { name, minStake } of [...makers, CROWD])
      market.setMinimum(name, toMicros(minStake * makerMinimums));
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
    // Two steps, so that the wake-up follows the matches' own last step of the same instant.
    this.#agenda.at(untilMs, (_market, nowMs) => {
      this.#agenda.at(nowMs, (market, dueMs) => this.#wake(market, dueMs));
    });
  }

  publicFair(at: SimOutcome): number | null {
    return this.#running.get(eventKey(at))?.own.publicFair(at.outcome) ?? null;
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
        // A match and its first half have the same clock.
        running.match.start(market, nowMs);
        running.half?.start(market, nowMs);
        return true;
      case 'end':
        end(market, running, act.result, nowMs);
        return true;
    }
  }

  #wake(market: Market, nowMs: number): void {
    for (const { own } of Array.from(this.#running.values())) own.wake(market, nowMs);
    for (; this.#vacant > 0; this.#vacant--) this.#open(market, nowMs);
  }

  /** Opens the next fixture, and its first half where that is traded. Its settlement opens another fixture. */
  #open(market: Market, nowMs: number): void {
    const fixture = this.#fixtures.next(nowMs);
    if (fixture === null) return;
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

/** A goal counts for the match and for its first half, whichever of them the intervention names. */
function score(market: Market, { match, half }: Running, team: 0 | 1, nowMs: number): boolean {
  const isTaken = match.goal(market, team, nowMs);
  half?.goal(market, team, nowMs);
  return isTaken;
}

/** The end of a match also ends its first half, if that is still open. A first half ends alone. */
function end(market: Market, { own, match, half }: Running, result: EventResult | null, nowMs: number): void {
  own.end(market, result, nowMs);
  if (own === match) half?.end(market, halfTimeOf(result), nowMs);
}

function halfTimeOf(result: EventResult | null): EventResult | null {
  if (result?.kind !== 'score') return null;
  const { halfTimeHome, halfTimeAway } = result;
  return { ...result, home: halfTimeHome, away: halfTimeAway };
}
