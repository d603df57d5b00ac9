import { z } from 'zod';
import { betType, type BetType, eventId, heartbeatId, sport } from '../../domain/ids.ts';
import type { Balance, ExchangeRate, Heartbeat, PositionTotal } from '../../domain/orders.ts';
import { within } from './bounds.ts';
import { arrayReader, attempted, lenientArrayReader, objectReader, type Reader } from './reader.ts';
import type { PositionDetails } from './resources.ts';
import type { Survey } from './survey.ts';
import {
  amount,
  anything,
  isRecord,
  label,
  money,
  moneyOrNull,
  number,
  numberOrNull,
  readNumber,
  text,
  timestampOrNull,
} from './scalars.ts';

export const readBalance: Reader<Balance> = objectReader(
  'balance',
  { balance: money, open_stake: moneyOrNull, smart_credit: moneyOrNull },
  (fields): Balance => ({
    balanceMicros: fields.balance,
    openStakeMicros: fields.open_stake ?? 0,
    smartCreditMicros: fields.smart_credit,
  }),
);

export const readRates: Reader<readonly ExchangeRate[]> = lenientArrayReader(
  'exchange rates',
  objectReader('exchange rate', { ccy: text, rate: number }, (fields): ExchangeRate => fields),
);

export const readHeartbeat: Reader<Heartbeat> = objectReader(
  'heartbeat',
  { heartbeat_id: text, expiry_time: timestampOrNull },
  (fields): Heartbeat => ({ heartbeatId: heartbeatId(fields.heartbeat_id), expiryMs: fields.expiry_time }),
);

/** Every heartbeat must be readable: one that the list omits has run out, and one that nobody here created belongs to another process. */
const heartbeatArray = arrayReader('heartbeats', readHeartbeat);

/** Reads `{heartbeats: […]}` (published), or a bare array. */
export const readHeartbeats: Reader<readonly Heartbeat[]> = (raw, survey) =>
  heartbeatArray(isRecord(raw) ? raw['heartbeats'] : raw, survey);

/** An absent stake is none. One that cannot be read makes its total unreadable: it would differ from ours. */
const stake = money.nullish().transform((micros) => micros ?? 0);

const readTotal = objectReader(
  'total',
  {
    bet_type_description: label,
    got_price: numberOrNull,
    got_stake: stake,
    unknown_price: numberOrNull,
    unknown_stake: stake,
  },
  (fields) => ({
    description: fields.bet_type_description,
    total: {
      gotPrice: fields.got_price,
      gotStakeMicros: fields.got_stake,
      unknownPrice: fields.unknown_price,
      unknownStakeMicros: fields.unknown_stake,
    } satisfies PositionTotal,
  }),
);

/** The totals by bet type. One that cannot be read costs no other. */
function totalsOf(given: Readonly<Record<string, unknown>>, survey: Survey) {
  const totals = new Map<BetType, PositionTotal>();
  const descriptions = new Map<BetType, string>();
  const unreadTypes = new Set<BetType>();
  for (const [type, raw] of Object.entries(given)) {
    const read = attempted('totals', raw, readTotal, survey)?.[0];
    if (read === undefined) unreadTypes.add(betType(type));
    else {
      totals.set(betType(type), read.total);
      descriptions.set(betType(type), read.description);
    }
  }
  return { totals, descriptions, ...(unreadTypes.size > 0 && { unreadTypes }) };
}

const grid = z.array(z.array(amount)).nullish();

const positionShape = {
  sport: label,
  event_id: label,
  payoff_grid: z.object({ ccy_code: label, values: grid }).nullish(),
  totals: z.record(z.string(), z.unknown()).nullish(),
  unknown_bets_num: numberOrNull,
  unknown_grid: anything,
  cashout_info: z.record(z.string(), z.unknown()).nullable().catch(null),
};

/** `GET /v2/orders/position/`. */
export const readPosition: Reader<PositionDetails> = (raw, survey) => {
  mustPayWithinBounds(raw, survey);
  return readBounded(raw, survey);
};

/** Throws ProtocolError when a payoff is out of bounds. A grid is believed as a whole or not at all. */
function mustPayWithinBounds(raw: unknown, survey: Survey): void {
  const payoffs = isRecord(raw) ? raw['payoff_grid'] : null;
  const cells = isRecord(payoffs) && Array.isArray(payoffs['values']) ? payoffs['values'].flat() : [];
  for (const cell of cells) within('position.payoff_grid', readNumber(cell) ?? 0, survey);
}

const readBounded: Reader<PositionDetails> = objectReader(
  'position',
  positionShape,
  (fields, survey): PositionDetails => ({
    ...totalsOf(fields.totals ?? {}, survey),
    sport: sport(fields.sport),
    eventId: eventId(fields.event_id),
    payoffGridMicros: fields.payoff_grid?.values ?? null,
    unknownBetsCount: fields.unknown_bets_num ?? 0,
    ccyCode: fields.payoff_grid?.ccy_code ?? null,
    unknownGrid: fields.unknown_grid ?? null,
    cashoutInfo: fields.cashout_info,
  }),
);
