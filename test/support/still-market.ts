import { toMicros } from '../../src/domain/money.ts';
import type { Intervention, Market, SimOutcome } from '../../src/simulator/core/api.ts';
import type { World } from '../sim/world.ts';

export const HOME_WINS = 'h';
const DEPTH_USDT = 1_000;
const MAKER = 'maker';

/** A football event whose prices do not change until a test moves them. */
export class StillMarket {
  readonly eventId: string;
  readonly at: SimOutcome;
  readonly selectionId: string;
  readonly #world: World;

  /** `day` is the one in the event's name. */
  constructor(world: World, startsInS: number, day = '2026-03-01') {
    this.#world = world;
    this.eventId = `${day},1,2`;
    this.at = { sport: 'fb', eventId: this.eventId, outcome: HOME_WINS };
    this.selectionId = `fb|${this.eventId}|${HOME_WINS}`;
    this.startIn(startsInS);
    this.move(1.9, 2.1);
  }

  /** Reports the event, and again when its start changes. */
  startIn(startsInS: number): void {
    this.does((market, nowMs) =>
      market.putEvent(
        {
          sport: 'fb',
          eventId: this.eventId,
          eventType: 'normal',
          eventName: 'A v B',
          competitionId: 7,
          competitionName: 'League',
          competitionCountry: 'GB',
          home: 'A',
          away: 'B',
          homeId: 1,
          awayId: 2,
          teams: [],
          startTimeMs: nowMs + startsInS * 1000,
          endTimeMs: null,
        },
        nowMs,
      ),
    );
  }

  /** Changes the market as its feed would. */
  does(act: (market: Market, nowMs: number) => void): void {
    const { wires, exchange } = this.#world;
    wires.host.run((nowMs) => act(exchange.market, nowMs));
  }

  /** Acts as a person at the exchange would. */
  intervene(act: Intervention): void {
    const { wires, exchange } = this.#world;
    wires.host.run((nowMs) => exchange.intervene(this.at, act, nowMs));
  }

  /** All other offers are withdrawn. */
  withdraw(): void {
    this.does((market, nowMs) => market.clearLevels(MAKER, this.at, nowMs));
  }

  /** The background's offers on each side. */
  move(below: number, above: number): void {
    this.does((market, nowMs) => {
      market.clearLevels(MAKER, this.at, nowMs);
      market.setLevel(MAKER, this.at, 'against', below, toMicros(DEPTH_USDT), nowMs);
      market.setLevel(MAKER, this.at, 'for', above, toMicros(DEPTH_USDT), nowMs);
    });
  }

  /** A taker takes, in one direction, the best resting stake, ours first if it is better. */
  take(direction: 'for' | 'against', stakeUsdt: number): void {
    const anyPrice = direction === 'for' ? 1.01 : 1000;
    this.does((market, nowMs) => market.take(this.at, direction, anyPrice, toMicros(stakeUsdt), nowMs));
  }
}
