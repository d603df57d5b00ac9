import { invariant } from '../../../lib/assert.ts';
import { integerBetween, normal, type Random, seededRandom, uniformBetween } from '../../../lib/random.ts';
import type { SimEvent } from '../../core/api.ts';
import { type Competition, COMPETITIONS, type Team } from './catalogue.ts';
import type { EventModel } from './event-model.ts';
import { drawRates, FirstHalfModel, FootballModel } from './football.ts';
import { BASKET, CRICKET, LeadModel } from './lead.ts';
import type { ModelFeedOptions } from './options.ts';
import { PayoffTable } from './score-grid.ts';
import { RACE_S, RaceModel } from './race.ts';
import { TennisModel } from './tennis.ts';

export interface Fixture {
  /** Label of the fixture's random numbers; the same on any day. */
  readonly key: string;
  readonly event: SimEvent;
  readonly model: EventModel;
  /** Stakes and takers' arrivals as a share of the usual. */
  readonly liquidity: number;
  /** The suspension before the start, as a multiple of the usual. */
  readonly startDelay: number;
  /** The first half as an event of its own; null where the market does not offer it. */
  readonly half: Fixture | null;
}

const MINUTE_MS = 60_000;

/** Football that starts at least this late after the beginning has first-half markets. Minutes of match time. */
const HALVES_FROM = 60;
/** Time between two starts, so that about two events are in play at any time. Minutes of match time. */
const SHORTEST_GAP = 30;
const LONGEST_GAP = 60;

const START_DELAYS = [0.5, 1.5] as const;

export type FixtureOptions = Pick<
  ModelFeedOptions,
  'seed' | 'startWallMs' | 'speed' | 'leadMinutes' | 'opening' | 'sequence' | 'incidents'
>;

/** Draws fixtures from a seed: participants, start and model. */
export class Fixtures {
  readonly #seed: number;
  readonly #random: Random;
  readonly #startWallMs: number;
  readonly #speed: number;
  readonly #leadMinutes: number;
  readonly #opening: FixtureOptions['opening'];
  readonly #sequence: FixtureOptions['sequence'];
  readonly #incidents: FixtureOptions['incidents'];
  readonly #payoffs = new PayoffTable();
  readonly #busy = new Set<number>();
  /** Event ids of the latest date. Starts come in order, so earlier dates do not recur. */
  readonly #usedIds = new Set<string>();
  #latestDate = '';
  #drawn = 0;
  #lastStartMinutes = 0;

  constructor({ seed, startWallMs, speed, leadMinutes, opening, sequence, incidents }: FixtureOptions) {
    [this.#opening, this.#sequence] = [opening, sequence];
    this.#incidents = incidents;
    this.#seed = seed;
    this.#random = seededRandom(seed, 'fixtures');
    this.#startWallMs = startWallMs;
    this.#speed = speed;
    this.#leadMinutes = leadMinutes;
  }

  /** The next event of the programme; null after the last. Starts come in order; after the opening, no start lies in the past. */
  next(nowMs: number): Fixture | null {
    const opening = this.#opening[this.#drawn];
    const later = this.#sequence[(this.#drawn - this.#opening.length) % this.#sequence.length];
    const sport = opening?.[0] ?? later;
    if (sport === undefined) return null;
    const gap = Math.round(uniformBetween(this.#random, SHORTEST_GAP, LONGEST_GAP));
    this.#drawn++;
    const openingMinutes = opening === undefined ? null : opening[1] + this.#leadMinutes;
    this.#lastStartMinutes = openingMinutes ?? this.#startAfter(gap, nowMs);
    return this.#draw(sport, this.#lastStartMinutes);
  }

  #startAfter(gap: number, nowMs: number): number {
    const nowMinutes = ((nowMs - this.#startWallMs) * this.#speed) / MINUTE_MS;
    return Math.max(this.#lastStartMinutes + gap, Math.ceil(nowMinutes) + SHORTEST_GAP);
  }

  /** Frees the event's participants for another event. */
  release(event: SimEvent): void {
    for (const id of [event.homeId, event.awayId]) this.#busy.delete(id);
  }

  #draw(sport: string, startMinutes: number): Fixture {
    const startMs = Math.round(this.#startWallMs + (startMinutes * MINUTE_MS) / this.#speed);
    const competition = this.#competition(sport);
    const event = sport === 'horse' ? this.#race(competition, startMs) : this.#match(competition, startMs);
    const key = `fixture ${this.#drawn}`;
    const random = seededRandom(this.#seed, `${key}:model`);
    const { liquidity } = competition;
    const startDelay = uniformBetween(seededRandom(this.#seed, `${key}:start`), ...START_DELAYS);
    const common = { key, event, liquidity, startDelay };
    if (sport !== 'fb') return { ...common, model: otherModel(sport, random, event), half: null };
    const model = new FootballModel(random, this.#payoffs, drawRates(random), this.#incidents);
    const fixture = { ...common, model };
    return {
      ...fixture,
      half: startMinutes < HALVES_FROM + this.#leadMinutes ? null : this.#firstHalf(fixture, model),
    };
  }

  #firstHalf({ key, event, liquidity, startDelay }: Omit<Fixture, 'half'>, match: FootballModel): Fixture {
    const half = { ...event, sport: 'fb_ht', eventName: `${event.eventName} (first half)` };
    const model = new FirstHalfModel(match, this.#payoffs);
    return { key: `${key} first half`, event: half, model, liquidity: liquidity / 2, startDelay, half: null };
  }

  /** A competition of the sport in which two teams are free; without any, any competition of the sport. */
  #competition(sport: string): Competition {
    const all = COMPETITIONS.filter((competition) => competition.sport === sport);
    const open = all.filter((competition) => this.#free(competition).length >= 2);
    const found = this.#pick(open.length > 0 ? open : all);
    invariant(found !== undefined, 'no competition of the sport', { sport });
    return found;
  }

  #free(competition: Competition): Team[] {
    return competition.teams.filter((team) => !this.#busy.has(team.id));
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[integerBetween(this.#random, 0, Math.max(0, items.length - 1))];
  }

  #match(competition: Competition, startMs: number): SimEvent {
    const free = this.#free(competition);
    const pool = free.length >= 2 ? free : competition.teams;
    const home = this.#pick(pool) as Team;
    const away = this.#pick(pool.filter((team) => team !== home)) as Team;
    this.#busy.add(home.id);
    this.#busy.add(away.id);
    return {
      ...described(competition, startMs),
      eventId: this.#newId(startMs, home.id, away.id),
      eventType: 'normal',
      eventName: `${home.name} v ${away.name}`,
      home: home.name,
      away: away.name,
      homeId: home.id,
      awayId: away.id,
      teams: [home, away].map(asRunner),
    };
  }

  #race(competition: Competition, startMs: number): SimEvent {
    return {
      ...described(competition, startMs),
      endTimeMs: Math.round(startMs + (RACE_S * 1000) / this.#speed),
      eventId: this.#newId(startMs, competition.id, this.#drawn),
      eventType: 'multirunner',
      eventName: `${competition.name}, race ${this.#drawn}`,
      home: '',
      away: '',
      homeId: 0,
      awayId: 0,
      teams: competition.teams.map(asRunner),
    };
  }

  /** A unique id: the start's date and two numbers. A second meeting on a day gets another last number. */
  #newId(startMs: number, one: number, other: number): string {
    const date = new Date(startMs).toISOString().slice(0, 10);
    if (date !== this.#latestDate) this.#usedIds.clear();
    this.#latestDate = date;
    let last = other;
    while (this.#usedIds.has(`${date},${one},${last}`)) last += 100_000;
    const id = `${date},${one},${last}`;
    this.#usedIds.add(id);
    return id;
  }
}

function otherModel(sport: string, random: Random, event: SimEvent): EventModel {
  switch (sport) {
    case 'basket':
      return new LeadModel(random, BASKET, 0.6 * normal(random));
    case 'cricket':
      return new LeadModel(random, CRICKET, normal(random));
    case 'tennis':
      return new TennisModel(random, 0.15 * normal(random));
    default:
      return new RaceModel(
        random,
        event.teams.map(({ teamId }) => teamId),
      );
  }
}

const asRunner = ({ id, name }: Team): { teamId: number; name: string } => ({ teamId: id, name });

function described(competition: Competition, startMs: number) {
  return {
    sport: competition.sport,
    competitionId: competition.id,
    competitionName: competition.name,
    competitionCountry: competition.country,
    startTimeMs: startMs,
    endTimeMs: null,
  };
}
