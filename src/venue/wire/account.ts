import { z } from 'zod';
import { betType, type BetType, eventId, heartbeatId, sport } from '../../domain/ids.ts';
import type { Balance, ExchangeRate, Heartbeat, PositionTotal } from '../../domain/orders.ts';
import { within, withinBounds } from './bounds.ts';
import { arrayReader, objectReader, type Reader } from './reader.ts';
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

export const readRates: Reader<readonly ExchangeRate[]> = arrayReader(
  'exchange rates',
  objectReader('exchange rate', { ccy: text, rate: number }, (fields): ExchangeRate => fields),
);

export const readHeartbeat: Reader<Heartbeat> = objectReader(
  'heartbeat',
  { heartbeat_id: text, expiry_time: timestampOrNull },
  (fields): Heartbeat => ({ heartbeatId: heartbeatId(fields.heartbeat_id), expiryMs: fields.expiry_time }),
);

const heartbeatArray = arrayReader('heartbeats', readHeartbeat);

/** Reads `{heartbeats: […]}` (published), or a bare array. */
export const readHeartbeats: Reader<readonly Heartbeat[]> = (raw, survey) =>
  heartbeatArray(isRecord(raw) ? raw['heartbeats'] : raw, survey);

const total = z.object({
  bet_type_description: label,
  got_price: numberOrNull,
  got_stake: moneyOrNull,
  unknown_price: numberOrNull,
  unknown_stake: moneyOrNull,
});

type TotalFields = z.output<typeof total>;

const grid = z.array(z.array(amount)).nullish();

const positionShape = {
  sport: label,
  event_id: label,
  payoff_grid: z.object({ ccy_code: label, values: grid }).nullish(),
  totals: z.record(z.string(), total).nullish(),
  unknown_bets_num: numberOrNull,
  unknown_grid: anything,
  cashout_info: z.record(z.string(), z.unknown()).nullable().catch(null),
};

/** `GET /v2/orders/position/`. */
export const readPosition: Reader<PositionDetails> = (raw, survey) =>
  readBounded(withinItsBounds(raw, survey), survey);

/** The position with its totals within their bounds. Throws ProtocolError when a payoff is not. */
function withinItsBounds(raw: unknown, survey: Survey): unknown {
  if (!isRecord(raw)) return raw;
  const { totals, payoff_grid: payoffs } = raw;
  const cells = isRecord(payoffs) && Array.isArray(payoffs['values']) ? payoffs['values'].flat() : [];
  for (const cell of cells) within('position.payoff_grid', readNumber(cell) ?? 0, survey);
  if (!isRecord(totals)) return raw;
  const bounded = Object.entries(totals).map(([type, value]) => [type, withinBounds('total', value, survey)]);
  return { ...raw, totals: Object.fromEntries(bounded) as unknown };
}

const readBounded: Reader<PositionDetails> = objectReader(
  'position',
  positionShape,
  (fields): PositionDetails => {
    const totals = Object.entries(fields.totals ?? {});
    return {
      sport: sport(fields.sport),
      eventId: eventId(fields.event_id),
      payoffGridMicros: fields.payoff_grid?.values ?? null,
      totals: new Map(totals.map(([type, value]) => [betType(type), totalOf(value)])),
      descriptions: new Map(totals.map(([type, value]): [BetType, string] => describe(type, value))),
      unknownBetsCount: fields.unknown_bets_num ?? 0,
      ccyCode: fields.payoff_grid?.ccy_code ?? null,
      unknownGrid: fields.unknown_grid ?? null,
      cashoutInfo: fields.cashout_info,
    };
  },
);

const describe = (type: string, value: TotalFields): [BetType, string] => [
  betType(type),
  value.bet_type_description,
];

function totalOf(fields: TotalFields): PositionTotal {
  return {
    gotPrice: fields.got_price,
    gotStakeMicros: fields.got_stake ?? 0,
    unknownPrice: fields.unknown_price,
    unknownStakeMicros: fields.unknown_stake ?? 0,
  };
}
