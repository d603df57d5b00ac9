import type { Score } from './events.ts';
import type { BetId, BetslipId, BetType, EventId, HeartbeatId, OrderId, RequestUuid, Sport } from './ids.ts';
import type { Micros } from './money.ts';
import type { PriceKind } from './odds.ts';
import type { PriceList } from './price-list.ts';

/**
 * How the exchange matches an order. `make_and_take` takes the available stake, and its remainder rests. `take_only` takes
 * and never rests. `dark` is `make_and_take` with a remainder that others do not see.
 *
 * @example
 * EXCHANGE_MODES.length; // 3
 */
export const EXCHANGE_MODES = ['make_and_take', 'take_only', 'dark'] as const;

/**
 * How the exchange matches an order: it may rest and take, only take, or rest unseen.
 *
 * @example
 * const mode: ExchangeMode = 'make_and_take';
 */
export type ExchangeMode = (typeof EXCHANGE_MODES)[number];

/** Orders of these modes are meant to rest. The exchange has no post-only mode, so they may still take. */
export const RESTING_MODES: readonly ExchangeMode[] = ['make_and_take', 'dark'];

/** The mode of an intent or record. If it names none: `take_only` for a take, else `make_and_take`. */
export const modeOf = ({
  mode,
  take,
}: {
  readonly mode?: ExchangeMode;
  readonly take?: unknown;
}): ExchangeMode => mode ?? (take === undefined ? 'make_and_take' : 'take_only');

/**
 * What an order asks for beside its price and stake. Each part is off if it is absent, and each costs fills.
 *
 * @example
 * const hidden: MatchingTerms = { minTakerWantStakeMicros: toMicros(20) };
 */
export interface MatchingTerms {
  /**
   * The order stays open when the event goes in play. It then rests at a price from before the start while others may know more.
   * Risk refuses it unless trading in play is allowed.
   */
  readonly keepOpenInRunning?: boolean;
  /**
   * With the mode `dark` alone: the least stake that a taker must ask for, at most the stake of the order. Smaller takers pass the
   * order by, and once less than this is unfilled, few can match it.
   */
  readonly minTakerWantStakeMicros?: Micros;
  /** Matches only with sources that hold no bets in danger status. The stake of all others cannot be taken. */
  readonly excludeDanger?: boolean;
  /**
   * The least stake of each source, by its name: a source that cannot take so much is not used. Many small stakes are then passed by.
   */
  readonly sourceMinStakesMicros?: Readonly<Record<string, Micros>>;
}

/** The terms that are on. */
export function matchingTermsOf(terms: MatchingTerms): MatchingTerms {
  const { keepOpenInRunning, minTakerWantStakeMicros, excludeDanger, sourceMinStakesMicros } = terms;
  return {
    ...(keepOpenInRunning === true && { keepOpenInRunning }),
    ...(minTakerWantStakeMicros !== undefined && { minTakerWantStakeMicros }),
    ...(excludeDanger === true && { excludeDanger }),
    ...(sourceMinStakesMicros !== undefined && { sourceMinStakesMicros }),
  };
}

/** Whether an order asks for anything beside price and stake. */
export const asksForMore = (terms: MatchingTerms): boolean => !haveSameMatching(terms, NO_TERMS);

const NO_TERMS: MatchingTerms = {};

/** Whether two orders ask for the same beside price and stake. */
export function haveSameMatching(a: MatchingTerms, b: MatchingTerms): boolean {
  return (
    (a.keepOpenInRunning ?? false) === (b.keepOpenInRunning ?? false) &&
    a.minTakerWantStakeMicros === b.minTakerWantStakeMicros &&
    (a.excludeDanger ?? false) === (b.excludeDanger ?? false) &&
    haveSameStakes(a.sourceMinStakesMicros, b.sourceMinStakesMicros)
  );
}

type SourceStakes = MatchingTerms['sourceMinStakesMicros'];

function haveSameStakes(a: SourceStakes, b: SourceStakes): boolean {
  if (a === b) return true;
  const [left, right] = [Object.entries(a ?? {}), b ?? {}];
  return left.length === Object.keys(right).length && left.every(([name, micros]) => right[name] === micros);
}

/** Values of an open set: the known ones are listed, and others are kept as they are. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A take as its order carries it.
 *
 * @example
 * const isHedge = ({ take }: LiveOrder): boolean => take?.reduces === true;
 */
export interface TakeTerms {
  /** Its id, which is its strategy's: at most one order has it, ever. */
  readonly id: string;
  /** The strategy's own fair probability of the selection; null if it named none. */
  readonly fairProbability: number | null;
  /** Whether it was certain, just before its approval, that the order reduces the risk of its event. */
  readonly reduces: boolean;
  /** The hedge whose bet it is; absent if it is a take of the strategy's own. */
  readonly hedge?: string;
  /** The quote of a person whose order it is: it is to rest, and the limits judge it as a quote. Absent for every other order. */
  readonly byHand?: string;
}

/** The order that `POST /v2/orders/` requests. `price` is on the ladder. */
export interface PlaceOrder extends MatchingTerms {
  readonly requestUuid: RequestUuid;
  readonly betslipId: BetslipId;
  /** The market of the betslip. Risk and the journal use it; it is not sent. */
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  /** What `price` is. Risk and the journal use it; it is not sent. */
  readonly priceKind: PriceKind;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly durationS: number;
  /** Absent: `make_and_take`, the exchange's default. */
  readonly exchangeMode?: ExchangeMode;
  readonly currentScore?: Score;
  readonly acceptBetterPrice?: boolean;
  readonly acceptPartialFill?: boolean;
  /** The take that the order carries out. Risk and the journal use it; it is not sent. */
  readonly take?: TakeTerms;
  readonly userData?: string;
}

/** The terms of an order that decide what it pays. */
export type OrderTerms = Pick<
  PlaceOrder,
  'sport' | 'eventId' | 'betType' | 'priceKind' | 'price' | 'stakeMicros'
>;

/** An order of which is asked whether it reduces risk. */
export type JudgedTerms = OrderTerms & Partial<Pick<PlaceOrder, 'requestUuid' | 'take'>>;

export type ExchangeRole = 'maker' | 'taker';

/** A fill, or an attempted fill, as in an order's `bets` and the stream's `bet` entry. */
export interface VenueBet {
  readonly betId: BetId;
  readonly orderId: OrderId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  /** `success` is the only documented value. A bet with another value has no stake until the exchange reports one. */
  readonly statusCode: string;
  readonly wantPrice: number | null;
  readonly gotPrice: number | null;
  readonly wantStakeMicros: Micros | null;
  readonly gotStakeMicros: Micros | null;
  readonly profitLossMicros: Micros | null;
  /** Whether the bet is settled: a boolean, or a string of the exchange. */
  readonly reconciled: boolean | string | null;
  readonly exchangeRole: Open<ExchangeRole> | null;
}

/** Final statuses of a voided bet: a bet that was in `danger` may end with any of them. */
const VOIDED: readonly string[] = ['void', 'failed', 'rejected', 'cancelled'];
const UNMATCHED: readonly string[] = [...VOIDED, 'unplaced'];

/** Whether the exchange reports a bet as not matched: it never was, is not yet, or was voided. */
export const isUnmatched = ({ statusCode }: VenueBet): boolean => UNMATCHED.includes(statusCode);

/** Whether the exchange has voided a bet for good. Other unmatched statuses may also precede a match. */
export const isVoided = ({ statusCode }: VenueBet): boolean => VOIDED.includes(statusCode);

export type VenueOrderStatus = Open<
  'open' | 'pending' | 'done' | 'failed' | 'reconciled' | 'partial_void' | 'full_void'
>;

/** Statuses of an order that can still be matched. Every other published status is final. */
export const OPEN_STATUSES: readonly string[] = ['open', 'pending'];

/** A parlay can only be bought; its bet type names no direction. */
export const isParlay = ({ orderType }: Pick<VenueOrder, 'orderType'>): boolean => orderType === 'parlay';

/** The exchange's order resource. Times are wall-clock milliseconds. */
export interface VenueOrder {
  readonly orderId: OrderId;
  readonly orderType: string;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly status: VenueOrderStatus;
  /** Whether the order is over, by the exchange's flag and the status. All code asks this field. */
  readonly closed: boolean;
  readonly closeReason: string | null;
  readonly wantPrice: number;
  readonly wantStakeMicros: Micros;
  /** Average matched price and matched stake; null until the order closes. */
  readonly price: number | null;
  readonly stakeMicros: Micros | null;
  readonly profitLossMicros: Micros | null;
  readonly placementTimeMs: number | null;
  readonly expiryTimeMs: number | null;
  readonly exchangeMode: string | null;
  readonly keepOpenInRunning: boolean;
  readonly userData: string | null;
  readonly bets: readonly VenueBet[];
  /** How many further bets the exchange lists that cannot be read. Absent: none. */
  readonly unreadBets?: number;
  readonly result: FinalResult | null;
}

/** The result of an event. Both scores are null if it has another form (sets, periods, places), or is not known yet. */
export interface FinalResult {
  readonly halfTime: Score | null;
  readonly fullTime: Score | null;
}

/** Betslip as created or read. `priceList` is null until a quote has arrived. */
export interface Betslip {
  readonly betslipId: BetslipId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly expiryMs: number | null;
  readonly isOpen: boolean;
  readonly closeReason: string | null;
  readonly priceList: PriceList | null;
}

/** The market for which `POST /v2/betslips/` requests a betslip. */
export interface BetslipRequest {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  /** `lay`: its quotes and orders have lay prices. Absent: `normal`. */
  readonly betslipType?: 'lay';
}

export interface Heartbeat {
  readonly heartbeatId: HeartbeatId;
  readonly expiryMs: number | null;
}

export interface Balance {
  readonly balanceMicros: Micros;
  readonly openStakeMicros: Micros;
  readonly smartCreditMicros: Micros | null;
}

export interface ExchangeRate {
  readonly ccy: string;
  /** The rate to USDT. */
  readonly rate: number;
}

/** `GET /v2/orders/position/`. */
export interface Position {
  readonly sport: Sport;
  readonly eventId: EventId;
  /** `[home][away]` in USDT micros; null when every cell is zero or no grid applies. */
  readonly payoffGridMicros: readonly (readonly Micros[])[] | null;
  readonly totals: ReadonlyMap<BetType, PositionTotal>;
  /** Bet types whose totals cannot be read. Absent: none. */
  readonly unreadTypes?: ReadonlySet<BetType>;
  readonly unknownBetsCount: number;
}

export interface PositionTotal {
  readonly gotPrice: number | null;
  readonly gotStakeMicros: Micros;
  readonly unknownPrice: number | null;
  readonly unknownStakeMicros: Micros;
}
