import { fromMicros, type Micros } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import { directionOfKind, kindsOf, type PriceKind } from '../../domain/odds.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import type { ParsedBetType } from '../../domain/bet-types/result.ts';
import type { OfferedLevel } from './api.ts';
import { Book, shownLevels } from './book.ts';
import type { FillModel, Resting } from '../../fills/fill-model.ts';
import type { BetslipRecord, EventRecord, MarketBook, Offer, OrderRecord } from './model.ts';
import type { ExchangeSettings } from './settings.ts';

/** A direction of an outcome as takers see it. */
interface Shown {
  readonly betType: string;
  readonly parsed: ParsedBetType;
  /** The offer's JSON up to `in_running`. */
  readonly head: string;
  version: number;
  epoch: number;
  /** The cached offer, null when nothing is on offer. */
  offer: Offer | null;
}

/** The depth of an offer, and what the prices of `against` offers are. A fault changes the latter. */
export type BookSettings = Pick<ExchangeSettings, 'offerDepth' | 'priceConvention'>;

/** A book with its offers. An offer is serialised once per change. */
export class OutcomeBook implements MarketBook {
  readonly event: EventRecord;
  readonly outcome: string;
  readonly book: Book;
  readonly waiting: OrderRecord[] = [];
  readonly watchers = new Set<BetslipRecord>();
  readonly #settings: BookSettings;
  readonly #shown: Record<Direction, Shown>;

  constructor(
    event: EventRecord,
    outcome: string,
    parsed: Record<Direction, ParsedBetType>,
    settings: BookSettings,
    fillModel: FillModel,
  ) {
    this.event = event;
    this.book = new Book(fillModel);
    this.outcome = outcome;
    this.#settings = settings;
    this.#shown = { for: shownBy(event, parsed.for), against: shownBy(event, parsed.against) };
  }

  parsed(direction: Direction): ParsedBetType {
    return this.#shown[direction].parsed;
  }

  betType(direction: Direction): string {
    return this.#shown[direction].betType;
  }

  offer(direction: Direction): Offer | null {
    const shown = this.#shown[direction];
    const version = this.book.version(opposite(direction));
    if (shown.version === version && shown.epoch === this.event.offersEpoch) return shown.offer;
    shown.version = version;
    shown.epoch = this.event.offersEpoch;
    shown.offer = this.#serialise(direction, shown.head);
    return shown.offer;
  }

  priceKind(direction: Direction): PriceKind {
    return kindsOf(this.#settings.priceConvention)[direction];
  }

  get isHalted(): boolean {
    return this.event.suspended || this.event.paused.has(this.outcome);
  }

  shownLevels(kind: PriceKind, accepts?: (resting: Resting) => boolean): OfferedLevel[] {
    if (this.isHalted || this.event.phase !== 'live') return [];
    const resting = this.book.levels(opposite(directionOfKind(kind)));
    const levels = shownLevels(resting, this.#settings.offerDepth, kind, accepts);
    return levels.map(({ tick, ...stake }) => ({ price: priceOf(tick), ...stake }));
  }

  #serialise(direction: Direction, head: string): Offer | null {
    const levels = this.shownLevels(this.priceKind(direction));
    if (levels.length === 0) return null;
    return {
      text: `${head}${this.event.inRunning},"price_list":[${levels.map(levelText).join(',')}]}`,
      stakeMicros: levels.reduce((sum, level) => sum + level.stakeMicros, 0),
    };
  }
}

function shownBy(event: EventRecord, parsed: ParsedBetType): Shown {
  const betType = `${parsed.direction},${parsed.outcome}`;
  const { sport, eventId } = event.info;
  const facts = { sport, event_id: eventId, bet_type: betType, market_type: parsed.marketType };
  const head = `${JSON.stringify(facts).slice(0, -1)},"in_running":`;
  return { betType, parsed, head, version: -1, epoch: -1, offer: null };
}

/** A level of a price list as JSON. */
const levelText = ({ price, stakeMicros, minBetMicros }: OfferedLevel): string => {
  const min = minBetMicros === 0 ? 'null' : moneyText(minBetMicros);
  return `{"effective":{"price":${price},"min":${min},"max":${moneyText(stakeMicros)}}}`;
};

const moneyText = (micros: Micros): string => `["USDT",${fromMicros(micros)}]`;
