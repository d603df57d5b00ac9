/**
 * How many events a verdict of ±1 % of the risk needs, from how much the fair values of the data move. A fill at fair has the worth
 * stake·(q/q₀ − 1) once fair is q, and the risk stake·√(1/q₀ − 1): their ratio is (q − q₀) / √(q₀(1 − q₀)), whatever the price. The
 * interval of a mean of n events is 1.96 deviations / √n to each side.
 */
import { fairSeries } from '../fair/series.ts';
import { probabilityAt } from '../fair/worth.ts';
import type { EventTape } from './tape.ts';

/** One measure of profit. Null where the data do not show it. */
export interface Needed {
  readonly measure: 'result' | 'closing line' | 'after 60 s';
  /** The standard deviation of one fill, as part of its risk. */
  readonly deviation: number | null;
  /** Events with one fill each, and with one independent fill in each minute that the event is quoted. */
  readonly eventsOfOneFill: number | null;
  readonly eventsOfMinutes: number | null;
}

const MINUTE_MS = 60_000;
/** Half the width of the interval, as part of the risk. */
const WITHIN = 0.01;
const DEVIATIONS = 1.96;

interface Moves {
  squares: number;
  count: number;
}

export class NeededEvents {
  readonly #minute: Moves = { squares: 0, count: 0 };
  readonly #close: Moves = { squares: 0, count: 0 };
  #events = 0;
  #minutes = 0;

  add(tape: EventTape): void {
    const courses = coursesOf(tape);
    this.#events++;
    this.#minutes += Math.max(0, ...courses.map((course) => course.filter((mid) => mid !== null).length));
    const playAt = tape.inPlayMs === null ? null : tape.inPlayMs - (tape.updates.atMs[0] ?? 0);
    for (const course of courses) {
      for (const [at, mid] of course.entries()) note(this.#minute, mid, course[at + 1] ?? null);
      if (playAt === null) continue;
      const before = course.slice(0, Math.floor(playAt / MINUTE_MS + 0.5));
      const close = before.findLast((mid) => mid !== null) ?? null;
      for (const mid of before.slice(0, -1)) note(this.#close, mid, close);
    }
  }

  needed(): readonly Needed[] {
    // A fill at fair that is held to its result has the deviation of its risk, by the definition of risk. Fills of one event share the result.
    return [
      { measure: 'result', deviation: 1, eventsOfOneFill: eventsFor(1), eventsOfMinutes: eventsFor(1) },
      this.#of('closing line', this.#close, 1),
      this.#of('after 60 s', this.#minute, this.#minutes / Math.max(1, this.#events)),
    ];
  }

  #of(measure: Needed['measure'], { squares, count }: Moves, fillsOfEvent: number): Needed {
    const deviation = count === 0 ? null : Math.sqrt(squares / count);
    if (deviation === null) return { measure, deviation, eventsOfOneFill: null, eventsOfMinutes: null };
    const eventsOfOneFill = eventsFor(deviation);
    return {
      measure,
      deviation,
      eventsOfOneFill,
      eventsOfMinutes: Math.max(1, Math.ceil(eventsFor(deviation) / Math.max(1, fillsOfEvent))),
    };
  }
}

const eventsFor = (deviation: number): number =>
  Math.max(1, Math.ceil(((DEVIATIONS * deviation) / WITHIN) ** 2));

function note(moves: Moves, before: number | null, after: number | null): void {
  if (before === null || after === null) return;
  moves.squares += (after - before) ** 2 / (before * (1 - before));
  moves.count++;
}

/** The fair value of each selection in the middle of each minute; null where it has none. */
function coursesOf(tape: EventTape): (number | null)[][] {
  const fair = fairSeries(tape);
  const { atMs, length } = tape.updates;
  const [firstMs, lastMs] = [atMs[0] ?? Infinity, atMs[length - 1] ?? -Infinity];
  return tape.selections.map((_, selection) => {
    const course: (number | null)[] = [];
    for (let nowMs = firstMs + MINUTE_MS / 2; nowMs <= lastMs; nowMs += MINUTE_MS) {
      const { logOdds } = fair.fairAt(selection, nowMs);
      course.push(logOdds === null ? null : probabilityAt(logOdds));
    }
    return course;
  });
}
